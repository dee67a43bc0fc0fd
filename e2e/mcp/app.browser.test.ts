// The page that hosts of MCP Apps show: as a host frames it, with the results of real tools.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Page } from "playwright-core";

import { createArtifact } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { testSite } from "../harness/test-site.ts";
import { connectOld } from "./old-client.ts";

setDefaultTimeout(hung);

const site = testSite();
let client: Client;

beforeAll(async () => {
  ({ client } = await connectOld(site.instance.origin, site.owner.token));
});
afterAll(() => client.close());

/**
 * A host: a page with the app in a sandboxed frame, which answers it and keeps what it sends. Where the result of a call
 * is given, the app can call tools.
 */
async function openHost(result: unknown, called?: unknown): Promise<Page> {
  const { tools } = await client.listTools();
  const { _meta: meta = {} } = tools.find(({ name }) => name === "diff_artifact_versions") ?? {};
  const { resourceUri: uri } = meta["ui"] as { resourceUri: string };
  const { contents } = await client.readResource({ uri });
  const [app] = contents as unknown as [{ text: string; mimeType: string }];
  expect(app.mimeType).toBe("text/html;profile=mcp-app");
  const page = await site.newPage();
  await page.setContent('<iframe sandbox="allow-scripts"></iframe>');
  await page.evaluate(
    ([html, told, answered]) => {
      const host = globalThis as unknown as { sent: { method?: string; id?: number; params?: object }[] };
      host.sent = [];
      const frame = document.querySelector("iframe") as HTMLIFrameElement;
      const post = (message: object) => frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");
      addEventListener("message", ({ data }) => {
        const { id, method } = data as { id?: number; method?: string };
        host.sent.push(data as (typeof host.sent)[number]);
        const hostCapabilities = answered === undefined ? {} : { serverTools: {} };
        if (method === "ui/initialize") post({ id, result: { protocolVersion: "2026-01-26", hostCapabilities } });
        else if (method === "tools/call") post({ id, result: answered as object });
        else if (method === "ui/notifications/initialized")
          post({ method: "ui/notifications/tool-result", params: told });
        else if (id !== undefined) post({ id, result: {} });
      });
      frame.srcdoc = html;
    },
    [app.text, result, called] as const,
  );
  return page;
}

const sentBy = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { sent: { method?: string; params?: object }[] }).sent);

test("the app shows a comparison as text, and opens the address through its host", async () => {
  const { artifactId, url } = await createArtifact(site.owner, site.projectSlug, { content: "# One\n\n<img src=x>\n" });
  await site.owner.client.call("version.create", { artifactId, content: "# Two\n\n<b onclick=alert(1)>x</b>\n" });
  const given = { artifactId, fromVersion: 1, toVersion: 2 };
  const page = await openHost(await client.callTool({ name: "diff_artifact_versions", arguments: given }));
  const frame = page.frameLocator("iframe");
  await frame.getByText("+<b onclick=alert(1)>x</b>").waitFor();
  expect(await frame.locator(".delete").allInnerTexts()).toEqual(["-# One", "-<img src=x>"]);
  expect(await frame.locator("b, img").count()).toBe(0);
  await frame.getByRole("link", { name: url }).click();
  await page.waitForFunction(() =>
    (globalThis as unknown as { sent: { method?: string }[] }).sent.some(({ method }) => method === "ui/open-link"),
  );
  const sent = await sentBy(page);
  expect(sent.find(({ method }) => method === "ui/open-link")?.params).toEqual({ url });
  expect(sent.map(({ method }) => method)).toContain("ui/notifications/size-changed");
});

const pixel = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";

test("the app asks for the preview of what was published, and shows its screenshot", async () => {
  const { artifactId } = await createArtifact(site.owner, site.projectSlug, { content: "# One\n" });
  const edits = [{ oldText: "One", newText: "Two" }];
  const edited = await client.callTool({ name: "edit_artifact", arguments: { artifactId, edits } });
  const page = await openHost(edited, { content: [{ type: "image", data: pixel, mimeType: "image/webp" }] });
  await page.frameLocator("iframe").getByRole("img", { name: "Screenshot of the page" }).waitFor();
  const calls = (await sentBy(page)).filter(({ method }) => method === "tools/call");
  const given = { artifactId, waitSeconds: 30 };
  expect(calls.map(({ params }) => params)).toEqual([{ name: "get_artifact_preview", arguments: given }]);
});

test("the app shows the screenshot of a preview", async () => {
  const result = {
    content: [
      { type: "text", text: "http://plinth.test/ada/demo/x?v=1 is shown without errors." },
      { type: "image", data: pixel, mimeType: "image/webp" },
    ],
  };
  const page = await openHost(result);
  const frame = page.frameLocator("iframe");
  await frame.getByText("is shown without errors.").waitFor();
  expect(await frame.getByRole("img", { name: "Screenshot of the page" }).getAttribute("src")).toBe(
    `data:image/webp;base64,${pixel}`,
  );
});
