// A jsx document that imports npm packages, in Chromium: fetched after publishing, beside one React, from this origin alone.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";

import { createArtifact } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(2 * hung);

let registry: TestRegistry;

const site = testSite(async () => {
  registry = await startRegistry();
  // A hook of another React than the one that renders would throw; `require` is how most packages are written.
  await registry.publish("counter-hook", "1.2.0", {
    "index.js": `const React = require("react"); const { jsx } = require("react/jsx-runtime");
      exports.useCounter = (from) => { const [n, set] = React.useState(from); return [n, () => set(n + 1)]; };
      exports.Label = ({ children }) => jsx("b", { className: "label", children });`,
    "theme.css": "@font-face { font-family: none; src: url(./none.woff2) } .label { color: rgb(1, 2, 3) }",
    "none.woff2": "none",
  });
  return openSite({ env: { PACKAGE_REGISTRY: registry.url } }, []);
});
afterAll(() => registry.close());

const source = `import { useCounter, Label } from "counter-hook";
import "counter-hook/theme.css";
export default function App() {
  const [n, more] = useCounter(41);
  return <button onClick={more}><Label>{n} by {useCounter.name || "hook"}</Label></button>;
}`;

test("a package with hooks and a style works beside the document's React, and stays what it was", async () => {
  const artifact = await createArtifact(site.owner, site.projectSlug, { type: "jsx", content: source });
  const context = await site.browser.newContext();
  const hosts = new Set<string>();
  context.on("request", (request) => hosts.add(new URL(request.url()).host));
  const open = async () => {
    const page = await context.newPage();
    await page.goto(artifact.url);
    const label = page.frameLocator("iframe").locator("b.label");
    await label.waitFor({ timeout: hung });
    return { page, label };
  };
  const first = await open();
  expect(await first.label.textContent()).toStartWith("41 by ");
  expect(await first.label.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(1, 2, 3)");
  await first.label.click();
  await first.page.frameLocator("iframe").getByText("42 by").waitFor({ timeout: hung });

  await registry.publish("counter-hook", "2.0.0", { "index.js": "exports.useCounter = () => ['gone'];" });
  const second = await open();
  expect(await second.label.textContent()).toStartWith("41 by ");
  expect([...hosts]).toEqual([new URL(site.instance.origin).host]);
  await context.close();
});
