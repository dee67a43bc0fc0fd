// A source highlighted for a caller in the server, within the time that rendering has.
import type { FramedType } from "@plinth/contract/frame";
import type { HighlightedSource } from "../render/source/source-renderer.ts";
import { packText } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const CPU_LIMIT_MS = 3_000;

/** Highlights in a thread within 3 s of processor time; past that the source is shown plain. @throws busy */
export async function highlightedSource(type: FramedType, text: string, work: Work): Promise<HighlightedSource> {
  const content = await packText(text);
  try {
    return await runInThread("source", { content, type }, { work, cpuMs: CPU_LIMIT_MS });
  } catch (error) {
    if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
    return plainSource(content, work);
  }
}

/**
 * The text of a packed content with its line numbers alone. Made in a thread too: 2 MiB of it would stop the server for
 * 0.1 s. @throws busy
 */
export async function plainSource(content: Uint8Array, work: Work): Promise<HighlightedSource> {
  return { html: await runInThread("plainSource", { content }, { work, cpuMs: CPU_LIMIT_MS }), whole: false };
}
