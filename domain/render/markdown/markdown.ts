// A markdown document's HTML for a caller in the server, within the time security.md 1 gives it.
import { runInThread } from "../../threads/pool.ts";
import { ThreadFailure, ThreadTimeout } from "../../threads/thread-errors.ts";
import { plainSource } from "../source/source-lines.ts";

const TIME_LIMIT_MS = 2_000;

export interface MarkdownFragment {
  readonly html: string;
  /** Rendering took too long or failed: `html` shows the source as it is. */
  readonly asSource: boolean;
  /** Nothing was left out to keep within the time; only then is it kept. */
  readonly whole: boolean;
}

/** Renders markdown in a thread with a 2 s limit; never refuses, past the limit the source is shown. */
export async function markdownFragment(source: string): Promise<MarkdownFragment> {
  try {
    return { ...(await runInThread("markdown", source, { timeoutMs: TIME_LIMIT_MS })), asSource: false };
  } catch (error) {
    if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
    return { html: plainSource(source), asSource: true, whole: false };
  }
}
