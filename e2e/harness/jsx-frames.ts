// Publishes jsx documents on the shared instance and opens them in a frame like the viewer's, with the real headers.
// Records what the document and the browser say.
import { frameAttributes } from "@plinth/contract/frame";
import type { FrameMessage } from "@plinth/contract/frame-messages";
import type { BrowserContextOptions, Frame, Page } from "playwright-core";

import { createArtifact } from "./people.ts";
import { openSharedSiteAlone } from "./site.ts";
import { testSite } from "./test-site.ts";

export interface ShownJsx {
  readonly page: Page;
  readonly frame: Frame;
  /** Paths of what the document loaded, without the runtime's folder. */
  readonly loaded: readonly string[];
  /** The messages it posted to its page, but for its height, which each document tells for printing. */
  readonly messages: () => Promise<FrameMessage[]>;
  /** Errors on the console (including what the policy blocked), exceptions, and the frame's error panel. */
  readonly complaints: () => Promise<string[]>;
}

interface Showing extends Pick<BrowserContextOptions, "colorScheme"> {
  /** A path of the runtime that can't be loaded. */
  readonly without?: RegExp;
}

export type ShowJsx = (source: string, options?: Showing) => Promise<ShownJsx>;

/**
 * For the tests of a file: publishes a source and opens it in a page of the application's origin that has nothing but
 * the frame. `flags` are Chromium's.
 */
export function jsxFrames(flags: readonly string[] = []): ShowJsx {
  const site = testSite(() => openSharedSiteAlone(flags));
  return async (content, { without, ...media } = {}) => {
    const { owner, projectSlug, instance } = site;
    const { artifactId } = await createArtifact(owner, projectSlug, { type: "jsx", content });
    const page = await site.newPage(undefined, { viewport: { width: 1000, height: 700 }, ...media });
    const loaded: string[] = [];
    page.on("request", (request) => {
      const [, file] = /\/_runtime\/\w+\/(.+)$/.exec(request.url()) ?? [];
      if (file) loaded.push(file);
    });
    if (without !== undefined) await page.route(without, (route) => route.abort());
    const { sandbox, allow, referrerpolicy } = frameAttributes("jsx");
    const body = `<!doctype html><script>messages = []; onmessage = ({ data }) => messages.push(data)</script>
      <style>body{margin:0}iframe{display:block;border:0;width:100vw;height:100vh}</style>
      <iframe src="/_content/p/${artifactId}/1" sandbox="${sandbox}" allow="${allow}" referrerpolicy="${referrerpolicy}"></iframe>`;
    await page.route(`${instance.origin}/frame`, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto("/frame");
    const frame = page.frames()[1];
    if (!frame) throw new Error("The page has no frame");
    return {
      page,
      frame,
      loaded,
      messages: async () => {
        const all = await page.evaluate(() => Reflect.get(globalThis, "messages") as FrameMessage[]);
        return all.filter(({ type }) => type !== "plinth:height" && type !== "plinth:started");
      },
      complaints: async () => [...site.complaints, ...(await frame.locator("#plinth-errors").allInnerTexts())],
    };
  };
}
