// A source highlighted for a caller in the server, within the time that rendering has.
import type { FramedType } from "@plinth/contract/frame";
import { plainSource } from "../render/source/source-lines.ts";
import type { HighlightedSource } from "../render/source/source-renderer.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const CPU_LIMIT_MS = 3_000;

/** Highlights in a thread within 3 s of processor time; past that the source is shown plain. @throws busy */
export async function highlightedSource(type: FramedType, text: string, work: Work): Promise<HighlightedSource> {
  try {
    return await runInThread("source", { type, text }, { work, cpuMs: CPU_LIMIT_MS });
  } catch (error) {
    if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
    return { html: plainSource(text), whole: false };
  }
}
