// The diff of two versions for a caller in the server: exact where that is quick, coarse otherwise.
import { runInThread } from "../threads/pool.ts";
import { ThreadFailure, ThreadTimeout } from "../threads/thread-errors.ts";
import { coarseDiff } from "./coarse-diff.ts";
import type { LineDiff } from "./line-diff.ts";

const TIME_LIMIT_MS = 1_500;

/** Diffs two texts by lines within 1.5 s of a thread; past that, `coarse` is true. */
export async function diffLines(before: string, after: string): Promise<LineDiff> {
  try {
    return (await runInThread("diff", { before, after }, { timeoutMs: TIME_LIMIT_MS })) ?? coarseDiff(before, after);
  } catch (error) {
    if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return coarseDiff(before, after);
    throw error;
  }
}
