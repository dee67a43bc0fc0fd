// An html document that loads a package, from publishing to the day when the registry is gone: its readers wait, see it with
// the package, and never again with another one; and nothing is asked of another host. A missing file is told with its
// reason, and can be asked for again without a script.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";

import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";

import { createArtifact } from "./harness/people.ts";
import { hung, withoutScreenshots } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(3 * hung);

const manifest = { jsdelivr: "./dist/chart.umd.js" };

let registry: TestRegistry;
let gate: ReturnType<typeof startGate>;
const site = testSite(async () => {
  registry = await startRegistry();
  const drawing = 'document.querySelector("output").textContent = "drawn by 4.4.1";';
  await registry.publish("chart.js", "4.4.1", { "dist/chart.umd.js": drawing }, manifest);
  gate = startGate(registry.url);
  return openSite({ env: { PACKAGE_REGISTRY: gate.url, ...withoutScreenshots } });
});
afterAll(async () => {
  await gate?.stop();
  await registry?.close();
});

/** The registry behind a gate: what is asked for while it is shut waits, and while the registry is gone fails. */
function startGate(target: string) {
  let opened = Promise.withResolvers<void>();
  let isGone = false;
  let answered = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch({ url, headers }) {
      await opened.promise;
      if (isGone) return new Response(null, { status: 502 });
      answered++;
      const { pathname, search, origin } = new URL(url);
      const answer = await fetch(target + pathname + search, { headers: { accept: headers.get("accept") ?? "*/*" } });
      // The registry names its archives by the origin that it was asked at.
      const isArchive = pathname.endsWith(".tgz");
      const body = isArchive ? await answer.arrayBuffer() : (await answer.text()).replaceAll(target, origin);
      return new Response(body, { status: answer.status });
    },
  });
  return {
    url: server.url.origin,
    answered: () => answered,
    open() {
      isGone = false;
      opened.resolve();
    },
    shut: () => (opened = Promise.withResolvers<void>()),
    leave: () => (isGone = true),
    stop() {
      opened.resolve();
      return server.stop(true);
    },
  };
}

const access = { publicView: true, publicEdit: false };
const publish = async (content: string) => {
  const { slug } = await createArtifact(site.owner, site.projectSlug, { type: "html", content, access });
  return `/${site.owner.username}/${site.projectSlug}/${slug}`;
};

/** A page whose requests are recorded, by their origins. */
async function openPage(session?: string, javaScriptEnabled = true): Promise<{ page: Page; origins: Set<string> }> {
  const page = await site.newPage(session, { isFresh: true, javaScriptEnabled });
  const origins = new Set<string>();
  page.context().on("request", (request) => origins.add(new URL(request.url()).origin));
  return { page, origins };
}

test("a package without a version: waited for, shown, pinned, and independent of the registry", async () => {
  gate.shut();
  const path = await publish(
    '<title>Chart</title><output>nothing yet</output><script src="https://cdn.jsdelivr.net/npm/chart.js"></script>',
  );
  const { page, origins } = await openPage();
  await page.goto(path);
  const frame = page.frameLocator("iframe");
  await frame.getByText("Fetching a package").waitFor();
  gate.open();
  await frame.getByText("drawn by 4.4.1").waitFor();
  const bytesOf = async () => {
    const src = (await frame.locator("script[src^='/_packages/']").getAttribute("src")) ?? "";
    return (await fetch(site.instance.origin + src)).text();
  };
  const before = await bytesOf();
  expect(before).toContain("drawn by 4.4.1");
  await page.reload();
  await page
    .getByRole("group")
    .filter({ has: page.getByLabel("More") })
    .click();
  const uses = page.getByRole("link", { name: "Uses chart.js 4.4.1" });
  await uses.click();
  await page.getByText("https://cdn.jsdelivr.net/npm/chart.js").waitFor();

  await registry.publish("chart.js", "5.0.0", { "dist/chart.umd.js": 'document.title = "another"' }, manifest);
  const answered = gate.answered();
  gate.leave();
  await page.goto(path);
  await frame.getByText("drawn by 4.4.1").waitFor();
  expect(await bytesOf()).toBe(before);
  expect([...origins]).toEqual([site.instance.origin]);
  expect(gate.answered()).toBe(answered);
  gate.open();
});

test("what is missing is named with its reason and a remedy, to readers and editors, and Retry needs no script", async () => {
  gate.open();
  const path = await publish(
    '<title>Gone</title><p>Text</p><img src="logo.png"><script src="https://unpkg.com/lost@1.0.0/a.js"></script>',
  );
  const { page: reading } = await openPage();
  await reading.goto(path);
  await reading.frameLocator("iframe").getByText("Text").waitFor();
  await reading.reload();
  await reading.getByText("2 files are missing").click();
  await reading.getByText("logo.png was beside the file and was not published").waitFor();
  await reading.getByText("Put it into the document, for example as a data: URL.").waitFor();
  expect(await reading.getByRole("button", { name: "Retry" }).count()).toBe(0);

  const { page: editing } = await openPage(site.session);
  const cookies = await editing.context().cookies();
  await editing.context().close();
  const { page } = await openPage(undefined, false);
  await page.context().addCookies(cookies);
  await page.goto(path);
  await page.locator("details", { hasText: "2 files are missing" }).locator("summary").click();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.waitForURL(/\/packages\?v=1$/);
  await page.getByText("lost").first().waitFor();
});
