// Draws diagrams in a page of ours in a new context of an open browser, and closes the context. A source is hostile: it is
// data for the page's one function, and what that gives is data again.
import type { MadeDrawing } from "@plinth/domain/render/diagrams/drawing";
import { withTimeout } from "@plinth/platform/with-timeout";
import { errors, type Browser, type BrowserContext, type Page } from "playwright-core";

import { DRAWING_CHARACTERS, type PageLimits } from "./limits.ts";
import type { BrowserHostSettings, DiagramsToDraw, DrawnMessage, HostMessage } from "./messages.ts";
import { serveFiles } from "./serve-files.ts";

interface DrawingOptions {
  readonly runtime: BrowserHostSettings["runtime"];
  readonly limits: PageLimits;
}

type Outcome = Extract<HostMessage, { allDrawn: true } | { failed: unknown }>;

const CLOSING_MS = 1_000;

export async function drawInPage(
  browser: Browser,
  { page: document, sources }: DiagramsToDraw,
  { runtime, limits }: DrawingOptions,
  onDrawn: (drawn: DrawnMessage["drawn"]) => void,
): Promise<Outcome> {
  const context = await browser.newContext({ locale: "en-US", timezoneId: "UTC", serviceWorkers: "block" });
  const page = await openPage(context, document, runtime, limits).catch((error: unknown) => {
    if (error instanceof errors.TimeoutError) return null;
    throw error;
  });
  // Of a page of ours, it says that the machine is busy; the worker measures that.
  if (page === null) return { failed: "took too long" };
  for (const [index, source] of sources.entries()) {
    const drawing = await withTimeout(limits.drawMs, drawnIn(page, source), () => "late" as const);
    // The page may still be at it: only its end ends that.
    if (drawing === "late") return { failed: "took too long" };
    if (drawing === "crashed") return { failed: "crashed" };
    onDrawn({ index, drawing });
  }
  const hasClosed = await withTimeout(
    CLOSING_MS,
    context.close().then(() => true),
    () => false,
  );
  return { allDrawn: true, needsRestart: !hasClosed };
}

async function openPage(
  context: BrowserContext,
  document: DiagramsToDraw["page"],
  runtime: BrowserHostSettings["runtime"],
  { pageMs }: PageLimits,
): Promise<Page> {
  const page = await context.newPage();
  context.on("page", (popup) => void popup.close().catch(() => undefined));
  const fileAt = () => Promise.resolve(null);
  const { url } = await serveFiles(context, document, { runtime, fileAt }, () => undefined);
  await page.goto(url, { waitUntil: "load", timeout: pageMs });
  return page;
}

/** The page's result is checked here, since a source may have taken it over. */
async function drawnIn(page: Page, source: string): Promise<MadeDrawing | "crashed"> {
  try {
    const made: unknown = await page.evaluate(async (text) => {
      const { drawForBothSchemes } = globalThis as unknown as {
        drawForBothSchemes: (source: string) => Promise<{ svg?: unknown; problem?: unknown }>;
      };
      return await drawForBothSchemes(text).then(({ svg, problem }) => [svg, problem]);
    }, source);
    const [svg, problem] = Array.isArray(made) ? (made as unknown[]) : [];
    if (typeof svg === "string" && svg !== "") return svg.length > DRAWING_CHARACTERS ? null : { svg };
    return typeof problem === "string" && problem !== "" ? { problem: problem.slice(0, 300) } : null;
  } catch (error) {
    // The page's own error: a drawing in a form that no document can have.
    return page.isClosed() || /page\.evaluate: Target /.test(String(error)) ? "crashed" : null;
  }
}
