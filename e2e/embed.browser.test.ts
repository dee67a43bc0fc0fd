// Public artifacts in the page of another site: what its reader sees, what a hostile document can't reach from there, and
// that nothing is shown that not everyone may see.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContext, FrameLocator, Page, Response as Answer } from "playwright-core";

import type { Output } from "@plinth/contract/registry";

import { bringSession } from "./harness/browser.ts";
import { png, uploadFiles } from "./harness/given-files.ts";
import { violationsIn } from "./harness/inspect-page.ts";
import { createArtifact } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSharedSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";

setDefaultTimeout(2 * hung);

/** Another site: another host and port than the instance's. */
const elsewhere = Bun.serve({
  port: 0,
  fetch: ({ url }) => {
    const embedded = new URL(url).searchParams.get("html") ?? "";
    return new Response(`<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>${embedded}`, {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  },
});
afterAll(() => elsewhere.stop(true));

/** What the document reaches, written into it where the test reads it. */
const hostile = `<p id="reached">trying</p><script>
const attempts = {
  parent: () => parent.document.title,
  top: () => top.document.title,
  "top's address": () => top.location.href,
  leaving: () => { top.location = "https://elsewhere.example/taken"; },
  "the parent's address": () => { parent.location = "https://elsewhere.example/taken"; },
  "a window": () => { if (open("https://elsewhere.example/taken") === null) throw new Error("none"); },
  origin: () => { if (origin === "null") throw new Error("opaque"); },
  api: () => fetch("ORIGIN/api/profile", { credentials: "include" }),
  "an image": () => new Promise((resolve, reject) => {
    const image = new Image();
    Object.assign(image, { onload: resolve, onerror: reject, src: "ORIGIN/favicon.svg" });
  }),
};
(async () => {
  const reached = [];
  for (const [name, attempt] of Object.entries(attempts))
    try { await attempt(); reached.push(name); } catch {}
  document.querySelector("#reached").textContent = "reached: " + reached.join(", ") + "; cookies: " + document.cookie;
})();
</script>`;

describe.each([
  ["content on the app's origin", false],
  ["a content origin", true],
] as const)("%s", (_, contentApart) => {
  const site = testSite(() => openSharedSite(contentApart));
  let context: BrowserContext;
  let answers: Answer[];
  beforeAll(async () => {
    context = await site.browser.newContext({ colorScheme: "light" });
    context.setDefaultTimeout(hung);
    // The reader is signed in here.
    await bringSession(context, site.instance.origin, site.session);
    answers = [];
    context.on("response", (answer) => answers.push(answer));
  });
  afterAll(() => context.close());

  const publish = async (type: "md" | "html" | "jsx", content: string, more: object = {}) => {
    const files = await uploadFiles(site.owner, { "img/dot.png": png });
    return createArtifact(site.owner, site.projectSlug, { type, content, files, ...more });
  };
  const oembed = async ({ url }: { readonly url: string }) => {
    const query = new URLSearchParams({ url });
    return fetch(`${site.instance.origin}/api/oembed?${query}`);
  };
  const show = async (html: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`http://localhost:${elsewhere.port}/?${new URLSearchParams({ html })}`);
    return page;
  };
  /** The page of another site with the code that oEmbed answers. */
  const embed = async (artifact: { readonly url: string }) => {
    const { html } = (await (await oembed(artifact)).json()) as Output<"artifact.oembed">;
    const page = await show(html);
    const around = page.frameLocator("iframe");
    return { page, around, document: around.frameLocator("iframe") };
  };
  const untilImageShows = (document: FrameLocator) =>
    document.locator("img").evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return image.naturalWidth;
    });

  test.each([
    ["md", "# Embedded\n\n![Dot](img/dot.png)\n"],
    ["html", '<h1>Embedded</h1><img src="img/dot.png">'],
    ["jsx", 'export default () => <><h1>Embedded</h1><img src="img/dot.png" /></>'],
  ] as const)("%s shows with the file beside it, and no cookie is sent or set", async (type, content) => {
    answers.length = 0;
    const artifact = await publish(type, content);
    const { page, around, document } = await embed(artifact);
    await document.getByRole("heading", { name: "Embedded" }).waitFor();
    expect(await untilImageShows(document)).toBe(2);
    const line = around.getByRole("link", { name: `${artifact.title} · on ${new URL(site.instance.origin).host}` });
    expect(await line.evaluate(({ href, target, rel }: HTMLAnchorElement) => [href, target, rel])).toEqual([
      artifact.url,
      "_blank",
      "noopener",
    ]);
    expect(await around.locator("form, button, input, nav").count()).toBe(0);
    const ours = answers.filter((answer) => !answer.url().startsWith(`http://localhost:${elsewhere.port}/`));
    expect(ours.length).toBeGreaterThan(3);
    for (const answer of ours) {
      const [asked, said] = await Promise.all([answer.request().allHeaders(), answer.allHeaders()]);
      expect([answer.url(), asked["cookie"], said["set-cookie"]]).toEqual([answer.url(), undefined, undefined]);
    }
    await page.close();
  });

  test("the script of a document reaches neither the pages around it nor cookies nor the API", async () => {
    const { page, document } = await embed(await publish("html", hostile.replaceAll("ORIGIN", site.instance.origin)));
    const reached = document.getByText(/^reached:/);
    await reached.waitFor();
    expect(await reached.textContent()).toBe("reached: ; cookies: ");
    expect(new URL(page.url()).port).toBe(String(elsewhere.port));
    expect(page.frames().filter((frame) => frame.url().includes("elsewhere.example"))).toEqual([]);
    expect(context.pages().filter((one) => one.url().includes("elsewhere.example"))).toEqual([]);
    await page.close();
  });

  test("a link of markdown opens in a tab, and one of html is shown whole first", async () => {
    const target = `http://localhost:${elsewhere.port}/?from=document`;
    const markdown = await embed(await publish("md", `[Go](${target})\n`));
    const opened = context.waitForEvent("page");
    await markdown.document.getByRole("link", { name: "Go" }).click();
    const tab = await opened;
    await tab.waitForURL(target);
    expect(await tab.evaluate(() => [opener, window.document.referrer])).toEqual([null, ""]);
    await Promise.all([tab.close(), markdown.page.close()]);

    const { page, around, document } = await embed(await publish("html", `<a href="${target}">Go</a>`));
    const count = context.pages().length;
    await document.getByRole("link", { name: "Go" }).click();
    const shown = around.getByRole("link", { name: target });
    await shown.waitFor();
    expect(context.pages()).toHaveLength(count);
    const second = context.waitForEvent("page");
    await shown.click();
    await (await second).waitForURL(target);
    await Promise.all([(await second).close(), page.close()]);
  });

  test("a private artifact shows nothing, to its owner too, and after a revocation a reload shows nothing", async () => {
    const privately = { access: { publicView: false, publicEdit: false } };
    const hidden = await publish("html", "<h1>Secret</h1>", privately);
    expect((await oembed(hidden)).status).toBe(404);
    const code = `<iframe src="${hidden.url.replace(site.instance.origin, `${site.instance.origin}/embed`)}"></iframe>`;
    const page = await show(code);
    await page.frameLocator("iframe").getByText("This document isn't available.").waitFor();
    expect(page.frames()).toHaveLength(2);
    await page.close();

    const artifact = await publish("html", "<h1>Public for now</h1>");
    const shown = await embed(artifact);
    await shown.document.getByRole("heading", { name: "Public for now" }).waitFor();
    const { artifactId } = artifact;
    const access = { publicView: false, publicEdit: false, viewerEmails: [] };
    await site.owner.client.call("access.update", { artifactId, ...access });
    await shown.page.reload();
    await shown.around.getByText("This document isn't available.").waitFor();
    expect(await shown.around.locator("iframe").count()).toBe(0);
    await shown.page.close();
  });

  test("Share and the settings have the code of a public artifact alone, the settings also without script", async () => {
    const shown = await publish("md", "# Shared\n", { title: 'Costs & "more"' });
    const code = ((await (await oembed(shown)).json()) as Output<"artifact.oembed">).html;
    expect(code).toContain('title="Costs &amp; &quot;more&quot;"');
    const privately = { access: { publicView: false, publicEdit: false } };
    const hidden = await publish("md", "# Hidden\n", privately);
    const words = "Make it public to embed it in other sites.";
    const page = await context.newPage();
    for (const { url } of [shown, hidden]) {
      await page.goto(url);
      await page.getByRole("link", { name: "Share", exact: true }).first().click();
      await page.getByText("Embed", { exact: true }).click();
      const field = page.getByLabel("Embed code", { exact: true });
      if (url === shown.url) expect(await field.inputValue()).toBe(code);
      else expect([await page.getByText(words).isVisible(), await field.count()]).toEqual([true, 0]);
    }
    await page.close();

    const plain = await site.browser.newContext({ javaScriptEnabled: false });
    await plain.addCookies(await context.cookies(site.instance.origin));
    const settings = await plain.newPage();
    await settings.goto(`${shown.url}/settings/access`);
    expect(await settings.getByLabel("Embed code", { exact: true }).inputValue()).toBe(code);
    await settings.goto(`${hidden.url}/settings/access`);
    await settings.getByText(words).waitFor();
    await plain.close();
  });

  test("axe finds nothing in the embed page", async () => {
    const { page, document } = await embed(await publish("md", "# Embedded\n"));
    await document.getByRole("heading", { name: "Embedded" }).waitFor();
    const frame = page.frames().find((one) => one.url().includes("/embed/"));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(frame && (await violationsIn(frame))).toEqual([]);
    }
    await page.close();
  });
});
