// Records the look of an opened document: its text, images, links and drawings, its errors, and its failed requests.
// Knows no difference between a published document and its reference.
import { readFrameMessage } from "@plinth/contract/frame-messages";
import type { Frame, Page, Request } from "playwright-core";

export interface Look {
  readonly text: string;
  /** Errors that nothing in the document caught. */
  readonly errors: readonly string[];
  /** URLs that were asked for and did not load. */
  readonly failed: readonly FailedRequest[];
  /** Sources of images, as they are written. */
  readonly images: readonly string[];
  /** Sources of images that show nothing. */
  readonly brokenImages: readonly string[];
  /** Links within the document that lead nowhere. */
  readonly brokenLinks: readonly string[];
  /** Boxes and pills in place of images, as the page of a markdown document has them. */
  readonly imageBoxes: readonly string[];
  /** Visible drawings: canvases, charts, images, videos. */
  readonly drawings: number;
}

export interface FailedRequest {
  readonly url: string;
  /** As the browser names it, or the directive of the policy that blocked it. */
  readonly why: string;
}

/** Milliseconds between two samples of a document that may still be changing. */
const sampleMs = 300;
/** Equal samples after which it counts as settled. */
const samples = 3;
/** Milliseconds after which a document that keeps changing, such as a clock, is taken as it is. */
const settleMs = 15_000;

export interface Watch {
  /** Waits until the frame's document stays the same, and returns what is seen of it. */
  look(frame: Frame): Promise<Look>;
}

/** Watches a page from before it is opened. */
export async function watchDocument(page: Page): Promise<Watch> {
  const errors: string[] = [];
  const failed = new Map<string, FailedRequest>();
  const open = new Set<Request>();
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => {
    open.delete(request);
    const why = request.failure()?.errorText ?? "failed";
    // A document aborts its own loads, and a page those of a frame that it reloads.
    if (why !== "net::ERR_ABORTED") failed.set(request.url(), { url: request.url(), why });
  });
  page.on("response", (response) => {
    if (response.status() >= 400) failed.set(response.url(), { url: response.url(), why: String(response.status()) });
  });
  await page.addInitScript(() => {
    const messages: unknown[] = [];
    addEventListener("message", ({ data }: MessageEvent<unknown>) => messages.push(data));
    Object.assign(globalThis, { plinthMessages: messages });
  });
  return {
    async look(frame) {
      await frame.waitForLoadState("load");
      const until = performance.now() + settleMs;
      let seen = await frame.evaluate(seenInPage);
      for (let equal = 1; equal < samples && performance.now() < until;) {
        await page.waitForTimeout(sampleMs);
        const next = await frame.evaluate(seenInPage);
        // The page around the frame keeps a stream of events open.
        const isLoading = [...open].some((request) => request.frame() === frame);
        // A large application shows nothing for a while.
        const isBlank = next.text.trim() === "" && next.drawings === 0;
        equal = !isLoading && !isBlank && JSON.stringify(next) === JSON.stringify(seen) ? equal + 1 : 1;
        seen = next;
      }
      const received = await page.evaluate(
        () => (globalThis as unknown as { plinthMessages: unknown[] }).plinthMessages,
      );
      for (const message of received.map(readFrameMessage)) {
        if (message?.type === "plinth:blocked")
          failed.set(message.address, { url: message.address, why: message.directive });
        if (message?.type === "plinth:error") errors.push(message.message);
      }
      return { ...seen, errors: [...new Set(errors)], failed: [...failed.values()] };
    },
  };
}

/** Runs in the document. */
function seenInPage(): Omit<Look, "errors" | "failed"> {
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const all = <Name extends keyof HTMLElementTagNameMap>(name: Name) => [...document.querySelectorAll(name)];
  // What a reader can open is text too.
  for (const details of all("details")) details.open = true;
  const images = all("img").flatMap((image) => image.getAttribute("src") ?? []);
  const brokenImages = all("img")
    .filter((image) => image.currentSrc !== "" && image.complete && image.naturalWidth === 0)
    .map((image) => image.getAttribute("src") ?? image.currentSrc);
  const brokenLinks = all("a").flatMap((link) => {
    const [, name = ""] = /^#(.+)$/.exec(link.getAttribute("href") ?? "") ?? [];
    const isThere =
      name === "" ||
      document.getElementById(name) !== null ||
      document.getElementById(decodeURIComponent(name.replaceAll(/%(?![\da-f]{2})/gi, "%25"))) !== null ||
      document.getElementsByName(name).length > 0;
    return isThere ? [] : [`#${name}`];
  });
  const boxes = [...document.querySelectorAll(".external-image, .missing-image")];
  return {
    text: document.body?.innerText ?? document.documentElement.textContent ?? "",
    images,
    brokenImages,
    brokenLinks,
    imageBoxes: boxes.map((box) => box.getAttribute("href") ?? box.querySelector("a")?.href ?? box.textContent ?? ""),
    drawings: [...document.querySelectorAll("canvas, svg, img, video")].filter(isShown).length,
  };
}
