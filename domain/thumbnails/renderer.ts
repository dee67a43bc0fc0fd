// The renderer that captures documents, as the jobs see it. Its browser is in worker/.
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";
import { offMainThread } from "@plinth/platform/main-thread";

import type { Config } from "../config.ts";
import type { Runtime } from "@plinth/runtime/manifest";
import type { MadeDrawing } from "../render/diagrams/drawing.ts";
import { emit, type CaptureErrorReason, type FinishedScreenshot } from "../telemetry.ts";

/** In CSS pixels, which are pixels here; the names are those of the database columns. */
export const screenshotSizes = { large: { width: 1200, height: 750 }, small: { width: 600, height: 375 } } as const;

/** A document as its frame would receive it. */
export interface DocumentToCapture {
  readonly html: string;
  /** Those of the content response, with the policy that confines the document. */
  readonly headers: Readonly<Record<string, string>>;
  /** The document's apparent origin; the browser never connects to it. */
  readonly origin: string;
  /** Its path on that origin, from which its relative URLs are resolved. */
  readonly path: string;
}

/** The path of a document without files. */
export const screenshotPath = "/_content/screenshot";

/** A file of the document's packages or one beside it, by its path on the document's origin; null for every other path. */
export type FileAt = (path: string) => Promise<{
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
} | null>;

export interface Capture {
  /** WebP, of `screenshotSizes`. */
  readonly large: Uint8Array;
  readonly small: Uint8Array;
  readonly report: PageReport;
}

export interface ThumbnailRenderer {
  /** Above zero. A renderer captures again what one with a lower version captured. */
  readonly version: number;
  /** Its files, those of the document's packages and those beside the document are the only ones that it can load. */
  readonly runtime: Runtime;
  /**
   * Captures one document at a time, within 8 s (docs/reference/security.md §2). Every process that the document
   * started has ended when this returns.
   * @throws CaptureError for a failure that the document caused, and where the machine is too busy
   */
  capture(document: DocumentToCapture, fileAt?: FileAt): Promise<Capture>;
  /**
   * Draws diagrams in a page of ours, one after the other, within 20 s. Each is given to `onDrawn` when it is drawn, by its
   * place among the sources. @throws CaptureError for a failure that a source caused, and where the machine is too busy
   */
  draw(page: DocumentToCapture, sources: readonly string[], onDrawn: OnDrawn): Promise<void>;
}

/** Null where the drawing has a form that no document can have in it. */
export type OnDrawn = (index: number, drawing: MadeDrawing) => void;

/** What the capturing jobs get from the process that runs them. */
export interface CaptureHost {
  readonly db: Database;
  readonly config: Pick<Config, "publicUrl" | "contentOrigin" | "htmlCdnAllowlist">;
  /** Null where no browser was found. */
  readonly renderer: ThumbnailRenderer | null;
}

/** The time ran out while the browser waited for a processor, which says nothing about the document. */
export const tooLittleCpu = "got too little CPU time" satisfies CaptureErrorReason;

export class CaptureError extends Error {
  override name = "CaptureError";
  constructor(
    readonly reason: CaptureErrorReason,
    /** The page's messages until the failure. */
    readonly report: PageReport,
  ) {
    super(`The document ${reason}`);
  }
}

/** Whether the machine, and not the document, is why there is no screenshot. */
export const isMachineBusy = (error: unknown): boolean =>
  error instanceof CaptureError && error.reason === tooLittleCpu;

/** The renderer, with a telemetry event for each screenshot. */
export function withTelemetry(renderer: ThumbnailRenderer): ThumbnailRenderer {
  return {
    version: renderer.version,
    runtime: renderer.runtime,
    draw: (page, sources, onDrawn) => offMainThread(renderer.draw(page, sources, onDrawn)),
    async capture(document, fileAt) {
      const startedAt = performance.now();
      const emitFinished = (outcome: FinishedScreenshot["outcome"]) =>
        emit("screenshot", { outcome, ms: performance.now() - startedAt });
      try {
        const capture = await offMainThread(renderer.capture(document, fileAt));
        emitFinished("taken");
        return capture;
      } catch (error) {
        emitFinished(error instanceof CaptureError ? error.reason : "failed");
        throw error;
      }
    },
  };
}
