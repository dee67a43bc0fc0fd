// Documents as coding agents write them, published and opened on their pages in Chromium: each is drawn without an
// error, nothing of it is blocked, and it does what a reader asks of it. Pictures go to PLINTH_SCREENSHOTS, for eyes.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";

import { readFrameMessage } from "@plinth/contract/frame-messages";

import { htmlDocuments, jsxDocuments, type RealDocument } from "./documents/documents.ts";
import { createArtifact, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite, type Site } from "./harness/site.ts";

/** Pages open at once. */
const together = 4;
/** A text on one ground has fewer colours than anything drawn. */
const fewestColours = 24;
/** For what moves into its place; no answer is waited for. */
const settling = 400;

/** How long a page may take before it counts as hung, with others beside it on a small machine. Milliseconds. */
const patience = hung / 4;

setDefaultTimeout(12 * hung);

const pictures = process.env["PLINTH_SCREENSHOTS"] ?? join(tmpdir(), "plinth-documents");
const documents = { jsx: jsxDocuments, html: htmlDocuments };
type Type = keyof typeof documents;

let site: Site;
let context: BrowserContext;
let counting: Page;
let author: Person;
let projectSlug: string;
/** What was found wrong with each, by file. */
const looked = new Map<string, Promise<string[]>>();

beforeAll(async () => {
  site = await openSite();
  ({ owner: author, projectSlug } = site);
  mkdirSync(pictures, { recursive: true });
  context = await site.browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(patience);
  counting = await context.newPage();
  const waiting = (Object.keys(documents) as Type[]).flatMap((type) =>
    documents[type].map((document) => {
      const { promise, resolve } = Promise.withResolvers<string[]>();
      looked.set(document.file, promise);
      return async () => resolve(await look(type, document).catch((error: unknown) => [String(error)]));
    }),
  );
  const reader = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  for (let n = 0; n < together; n++) void reader();
});
afterAll(() => site.close());

/** Publishes it, reads it and does what a reader does; what was wrong. */
async function look(type: Type, { file, shows, act, thenShows }: RealDocument): Promise<string[]> {
  const content = await Bun.file(join(import.meta.dir, "documents", type, file)).text();
  const { url } = await createArtifact(author, projectSlug, { type, title: file, content });
  const faults: string[] = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  try {
    await page.addInitScript(() => {
      const told: unknown[] = [];
      addEventListener("message", ({ data }: MessageEvent<unknown>) => told.push(data));
      Object.assign(globalThis, { told });
    });
    await page.goto(url);
    const frame = page.frameLocator("iframe");
    const seen = (text: string) => frame.getByText(text).first().waitFor();
    await seen(shows);
    const picture = await pictureOf(page, `${file}.png`);
    if (await frame.getByText(thenShows).first().isVisible())
      faults.push(`${JSON.stringify(thenShows)} was there before`);
    await act(frame);
    await seen(thenShows);
    await pictureOf(page, `${file}.after.png`);
    const colours = await coloursOf(picture);
    if (colours < fewestColours) faults.push(`${colours} colours`);
  } catch (error) {
    await page.screenshot({ path: join(pictures, `${file}.failed.png`) });
    faults.push(String(error));
  }
  const told = await page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told);
  await page.close();
  const trouble = told.map(readFrameMessage).filter((message) => message !== null && message.type !== "plinth:height");
  return [...faults, ...trouble.map((message) => JSON.stringify(message))];
}

/** The frame as it is once it has drawn what it holds by now: it is drawn by a process of its own. */
async function pictureOf(page: Page, name: string): Promise<Buffer> {
  await Bun.sleep(settling);
  await page
    .frameLocator("iframe")
    .locator("body")
    .evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return page.locator("iframe").screenshot({ path: join(pictures, name) });
}

/** Distinct colours of a picture, of every fourth of its points. */
function coloursOf(picture: Buffer): Promise<number> {
  return counting.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    const points = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return new Set(points.filter((_, at) => at % 4 === 0)).size;
  }, picture.toString("base64"));
}

describe.each(Object.keys(documents) as Type[])("a real %s document", (type) => {
  test.each(documents[type].map(({ file }) => file))("%s is drawn as written and answers its reader", async (file) => {
    expect(await looked.get(file)).toEqual([]);
  });
});
