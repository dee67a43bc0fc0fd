// Images of other sites in Chromium: a pill until they are fetched, then the image, and no request to another site.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { publicLoopback } from "@plinth/support/loopback-is-public";
import type { Frame, FrameLocator, Page } from "playwright-core";

import { createArtifact } from "./harness/people.ts";
import { hung, repository } from "./harness/process.ts";
import { openSite } from "./harness/site.ts";
import { testSite } from "./harness/test-site.ts";
import { colorSchemesOf } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const chart = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="160"><rect width="320" height="160" fill="#2a6f6a"/></svg>`;

let gate = Promise.withResolvers<void>();
const images = Bun.serve({
  port: 0,
  hostname: publicLoopback,
  idleTimeout: 0,
  async fetch(request) {
    await gate.promise;
    if (new URL(request.url).pathname !== "/chart.svg") return new Response("gone", { status: 404 });
    return new Response(chart, { headers: { "content-type": "image/svg+xml" } });
  },
});
const site = testSite(() => {
  const preload = join(repository, "e2e/support/loopback-is-public.ts");
  return openSite({ env: { REMOTE_IMAGES: "on", BUN_OPTIONS: `--preload ${preload}` } });
});
afterAll(() => {
  gate.resolve();
  return images.stop(true);
});

const { origin, host } = images.url;

const sources = {
  md: `# Images\n\nText ![Sales by month](${origin}/chart.svg) and ![Not there](${origin}/gone.png).\n\n[![build](${origin}/badge/gone.svg)](https://example.com)\n`,
  html: `<!doctype html><title>T</title><style>body { color-scheme: light dark }</style><h1>Images</h1><p>Text <img alt="Sales by month" src="${origin}/chart.svg"> and <img alt="Not there" src="${origin}/gone.png">.</p>`,
} as const;

/** Opens a new document; the URLs that the browser asks for, beside those of the instance. */
async function open(type: keyof typeof sources, colorScheme: "light" | "dark") {
  gate = Promise.withResolvers();
  const access = { publicView: true, publicEdit: false };
  const { slug } = await createArtifact(site.owner, site.projectSlug, { type, content: sources[type], access });
  const page = await site.newPage(undefined, { isFresh: true, colorScheme });
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site.instance.origin) && !/^(?:data|blob|about):/.test(url)) elsewhere.push(url);
  });
  await page.goto(`/${site.owner.username}/${site.projectSlug}/${slug}`);
  return { page, frame: page.frameLocator("iframe"), elsewhere };
}

/** Whether each image of the frame is drawn, by its text. */
async function drawn(page: Page): Promise<Record<string, boolean>> {
  const frame = page.frames().find((one: Frame) => one.url().includes("/_content/"));
  const found = await frame?.evaluate(() =>
    [...document.images].map((image) => [image.alt, image.complete && image.naturalWidth > 0] as const),
  );
  return Object.fromEntries(found ?? []);
}

const loaded = (frame: FrameLocator) =>
  frame.locator('img[alt="Sales by month"]').evaluate(async (image) => {
    if (image instanceof HTMLImageElement) await image.decode();
  });

for (const colorScheme of colorSchemesOf("remote images, markdown"))
  test(`markdown, ${colorScheme}: pills until the images are fetched, and then the document has them by itself`, async () => {
    const { page, frame, elsewhere } = await open("md", colorScheme);
    const pill = frame.locator(".external-image", { hasText: "Sales by month" });
    expect(await pill.getAttribute("title")).toBe("The image is being fetched");
    expect(await frame.locator("img").count()).toBe(0);
    gate.resolve();
    await loaded(frame);
    expect(await drawn(page)).toEqual({ "Sales by month": true });
    const missing = frame.locator(".external-image", { hasText: "Not there" });
    expect(await missing.getAttribute("title")).toBe(`${host} answered with status 404`);
    const height = async (name: string) => (await frame.locator(name).boundingBox())?.height ?? 0;
    expect(await height(".external-image.badge")).toBe(20);
    expect(await height(".external-image:not(.badge)")).toBeLessThan(32);
    expect(elsewhere).toEqual([]);
  });

for (const colorScheme of colorSchemesOf("remote images, html"))
  test(`html, ${colorScheme}: waits for its images, and a missing one is its text, drawn`, async () => {
    const { page, frame, elsewhere } = await open("html", colorScheme);
    await frame.getByText("Fetching 2 images").waitFor();
    gate.resolve();
    await loaded(frame);
    expect(await drawn(page)).toEqual({ "Sales by month": true, "Not there": true });
    const missing = frame.locator('img[alt="Not there"]');
    expect(await missing.getAttribute("title")).toBe(`${host} answered with status 404`);
    expect((await missing.boundingBox())?.height).toBe(20);
    expect(elsewhere).toEqual([]);
  });
