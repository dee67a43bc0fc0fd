// What takes pictures of documents, as the jobs see it. The browser behind it lives in worker/.
import type { PageReport } from "@plinth/contract/schemas/artifact";
import type { Database } from "@plinth/db/connection";

import type { Config } from "../config.ts";
import type { Runtime } from "@plinth/runtime/manifest";
import type { PaintFailureReason } from "../telemetry.ts";

/** The pictures' sizes in CSS pixels, and so in pixels; the names are the columns'. */
export const pictureSizes = { large: { width: 1200, height: 750 }, small: { width: 600, height: 375 } } as const;

/** A document as its frame would receive it. */
export interface DocumentToPaint {
  readonly html: string;
  /** Of the content response: the policy that holds the document. */
  readonly headers: Readonly<Record<string, string>>;
  /** The origin that it believes to be served from; nothing of it is reached. */
  readonly origin: string;
}

export interface Painting {
  /** WebP, of `pictureSizes`. */
  readonly large: Uint8Array;
  readonly small: Uint8Array;
  readonly report: PageReport;
}

export interface Painter {
  /** Which one it is, a whole number above zero: what an earlier one made is taken anew. */
  readonly version: number;
  /** Whose files are all that a document can load. */
  readonly runtime: Runtime;
  /**
   * Takes one picture at a time, within 8 s (docs/reference/security.md §2); whatever the document started has ended
   * when this returns.
   * @throws PaintFailure for what the document did
   */
  paint(document: DocumentToPaint): Promise<Painting>;
}

/** What the jobs that take pictures are given of the process they run in. */
export interface PaintingHost {
  readonly db: Database;
  readonly config: Pick<Config, "publicUrl" | "contentOrigin" | "htmlCdnAllowlist">;
  /** Null where no browser was found. */
  readonly painter: Painter | null;
}

/** Time ran out while the machine kept the browser waiting for a processor: it says nothing about the document. */
export const tooLittleCpu = "got too little CPU time" satisfies PaintFailureReason;

/** A document of which no picture could be taken. */
export class PaintFailure extends Error {
  override name = "PaintFailure";
  constructor(
    readonly reason: PaintFailureReason,
    /** What the page had said until then. */
    readonly report: PageReport,
  ) {
    super(`The document ${reason}`);
  }
}

/** Whether the machine, and not the document, is why there is no screenshot. */
export const isMachineBusy = (error: unknown): boolean =>
  error instanceof PaintFailure && error.reason === tooLittleCpu;
