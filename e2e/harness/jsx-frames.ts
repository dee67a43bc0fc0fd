// Publishes jsx documents on the shared instance and opens them in a frame like the viewer's, with the real headers.
// Records the browser's errors.
import { frameAttributes } from "@plinth/contract/frame";
import type { Frame, Page } from "playwright-core";

import { createArtifact } from "./people.ts";
import { hung } from "./process.ts";
import { openSharedSiteAlone } from "./site.ts";

export interface ShownJsx {
  readonly page: Page;
  readonly frame: Frame;
  /** Errors on the console (including what the policy blocked), exceptions, and the frame's error panel. */
  readonly complaints: () => Promise<string[]>;
}

export interface JsxFrames {
  readonly show: (source: string, size?: { width: number; height: number }) => Promise<ShownJsx>;
  readonly close: () => Promise<void>;
}

/** `flags` are Chromium's. */
export async function openJsxFrames(flags: readonly string[] = []): Promise<JsxFrames> {
  const { instance, browser, owner, projectSlug, close } = await openSharedSiteAlone(flags);
  const context = await browser.newContext();
  context.setDefaultTimeout(hung);

  const show = async (content: string, { width, height } = { width: 1000, height: 700 }): Promise<ShownJsx> => {
    const { artifactId } = await createArtifact(owner, projectSlug, { type: "jsx", content });
    const page = await context.newPage();
    await page.setViewportSize({ width, height });
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    const { sandbox, allow, referrerpolicy } = frameAttributes("jsx");
    const body = `<!doctype html><style>body{margin:0}iframe{display:block;border:0;width:100vw;height:100vh}</style>
      <iframe src="/_content/p/${artifactId}/1" sandbox="${sandbox}" allow="${allow}" referrerpolicy="${referrerpolicy}"></iframe>`;
    await page.route(`${instance.origin}/frame`, (route) => route.fulfill({ contentType: "text/html", body }));
    await page.goto(`${instance.origin}/frame`);
    const frame = page.frames()[1];
    if (!frame) throw new Error("The page has no frame");
    const allComplaints = async () => [...complaints, ...(await frame.locator("#plinth-errors").allInnerTexts())];
    return { page, frame, complaints: allComplaints };
  };
  return { show, close };
}
