// A source highlighted for a caller in the server, within the time that rendering has.
import type { FramedType } from "@plinth/contract/frame";
import { runInThread } from "../../threads/pool.ts";
import { ThreadFailure, ThreadTimeout } from "../../threads/thread-errors.ts";
import { plainSource } from "./source-lines.ts";
import type { HighlightedSource } from "./source-renderer.ts";

const TIME_LIMIT_MS = 2_000;

/** Highlights in a thread with a 2 s limit; never refuses, past the limit the source is shown plain. */
export async function highlightedSource(type: FramedType, text: string): Promise<HighlightedSource> {
  try {
    return await runInThread("source", { type, text }, { timeoutMs: TIME_LIMIT_MS });
  } catch (error) {
    if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
    return { html: plainSource(text), whole: false };
  }
}
