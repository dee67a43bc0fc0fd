// A markdown document's HTML for a caller in the server, within a limit of processor time.
import { packText } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import { plainSource } from "./source.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const CPU_LIMIT_MS = 3_000;

export interface MarkdownFragment {
  readonly html: string;
  /** Rendering took too long or failed: `html` shows the source as it is. */
  readonly asSource: boolean;
  /** Nothing was left out to keep within the time; only then is it kept. */
  readonly whole: boolean;
}

/** Renders markdown in a thread within 3 s of processor time; past that the source is shown. @throws busy */
export async function markdownFragment(source: string, work: Work): Promise<MarkdownFragment> {
  const content = await packText(source);
  try {
    return { ...(await runInThread("markdown", { content }, { work, cpuMs: CPU_LIMIT_MS })), asSource: false };
  } catch (error) {
    if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
    return { ...(await plainSource(content, work)), asSource: true };
  }
}
