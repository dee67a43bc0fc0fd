// Documents as coding agents write them, published and opened on their pages in Chromium: each is drawn without an
// error, the policy blocks nothing of it, and it does what a reader asks of it. Screenshots for review go to
// PLINTH_SCREENSHOTS.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";

import { readFrameMessage } from "@plinth/contract/frame-messages";

import { htmlDocuments, jsxDocuments, type RealDocument } from "./documents/documents.ts";
import { createArtifact, type Person } from "./harness/people.ts";
import { hung, withinHung } from "./harness/process.ts";
import { openSharedSiteAlone, type Site } from "./harness/site.ts";
import { sample, testRandom } from "./harness/test-seed.ts";

/** Parallel pages. */
const together = 4;
/** Text on a plain background has fewer colours than a drawn document. */
const fewestColours = 24;
/** Milliseconds for animations to end. */
const settling = 400;

/** Milliseconds after which a page counts as hung, with others beside it on a small machine. */
const timeout = hung / 4;

setDefaultTimeout(12 * hung);

const screenshots = process.env["PLINTH_SCREENSHOTS"] ?? join(tmpdir(), "plinth-documents");
const allDocuments = { jsx: jsxDocuments, html: htmlDocuments };
type Type = keyof typeof allDocuments;
/** The number of each type, by the seed of the run; `TEST_SAMPLES=all bun run test e2e/documents` has all. */
const ofType = 2;
const sampled = (type: Type): RealDocument[] =>
  sample<RealDocument>(allDocuments[type], ofType, testRandom("documents", type));
const documents: Readonly<Record<Type, readonly RealDocument[]>> = { jsx: sampled("jsx"), html: sampled("html") };

/** Part of a page, in CSS pixels. */
interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

let site: Site;
let context: BrowserContext;
let counting: Page;
let author: Person;
let projectSlug: string;
/** The faults of each document, by file. */
const looked = new Map<string, Promise<string[]>>();

beforeAll(async () => {
  site = await openSharedSiteAlone();
  ({ owner: author, projectSlug } = site);
  mkdirSync(screenshots, { recursive: true });
  context = await site.browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(timeout);
  counting = await context.newPage();
  const waiting = (Object.keys(documents) as Type[]).flatMap((type) =>
    documents[type].map((document) => {
      const { promise, resolve } = Promise.withResolvers<string[]>();
      looked.set(document.file, promise);
      // Playwright does not limit an evaluation in a page, and one that hangs would block its worker for good.
      const looking = () => withinHung(look(type, document), () => `${document.file} hangs`);
      return async () => resolve(await looking().catch((error: unknown) => [String(error)]));
    }),
  );
  const reader = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  for (let n = 0; n < together; n++) void reader();
});
afterAll(() => site.close());

/** Publishes it, reads it and acts as a reader does; returns the faults. */
async function look(type: Type, { file, shows, act, thenShows }: RealDocument): Promise<string[]> {
  const content = await Bun.file(join(import.meta.dir, "documents", type, file)).text();
  const { url } = await createArtifact(author, projectSlug, { type, title: file, content });
  const faults: string[] = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  try {
    await page.addInitScript(() => {
      const messages: unknown[] = [];
      addEventListener("message", ({ data }: MessageEvent<unknown>) => messages.push(data));
      Object.assign(globalThis, { messages });
    });
    await page.goto(url);
    const frame = page.frameLocator("iframe");
    const seen = (text: string) => frame.getByText(text).first().waitFor();
    await seen(shows);
    const colours = await coloursOnceDrawn(page, `${file}.png`);
    if (colours < fewestColours) faults.push(`${colours} colours`);
    if (await frame.getByText(thenShows).first().isVisible())
      faults.push(`${JSON.stringify(thenShows)} was there before`);
    await act(frame);
    await seen(thenShows);
    await screenshotOf(page, `${file}.after.png`);
  } catch (error) {
    await page.screenshot({ path: join(screenshots, `${file}.failed.png`) });
    faults.push(String(error));
  }
  const messages = await page.evaluate(() => (globalThis as unknown as { messages: unknown[] }).messages);
  await page.close();
  const trouble = messages
    .map(readFrameMessage)
    .filter((message) => message !== null && !/^plinth:(?:started|height)$/.test(message.type));
  return [...faults, ...trouble.map((message) => JSON.stringify(message))];
}

/** Distinct colours in the frame once there are enough; fewer if the number stays low. */
async function coloursOnceDrawn(page: Page, name: string): Promise<number> {
  const until = performance.now() + timeout;
  for (;;) {
    const frame = await page.locator("iframe").boundingBox();
    if (frame === null) throw new Error("the frame is not shown");
    const colours = await coloursOf(await screenshotOf(page, name), frame);
    if (colours >= fewestColours || performance.now() > until) return colours;
  }
}

/**
 * The page after its frame, which a separate process draws, shows its current content. Never the frame alone: for that
 * screenshot Chromium scrolls the frame into its corner and back only later, so that the next press misses by the
 * height of the bar above the frame.
 */
async function screenshotOf(page: Page, name: string): Promise<Buffer> {
  await Bun.sleep(settling);
  await page
    .frameLocator("iframe")
    .locator("body")
    .evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return page.screenshot({ path: join(screenshots, name) });
}

/** Distinct colours of a rectangle of the screenshot, counted at every fourth pixel. */
function coloursOf(screenshot: Buffer, part: Rectangle): Promise<number> {
  return counting.evaluate(
    async ({ base64, part: { x, y, width, height } }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.drawImage(image, -x, -y);
      const points = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
      return new Set(points.filter((_, at) => at % 4 === 0)).size;
    },
    { base64: screenshot.toString("base64"), part },
  );
}

describe.each(Object.keys(documents) as Type[])("a real %s document", (type) => {
  test.each(documents[type].map(({ file }) => file))("%s is drawn as written and answers its reader", async (file) => {
    expect(await looked.get(file)).toEqual([]);
  });
});
