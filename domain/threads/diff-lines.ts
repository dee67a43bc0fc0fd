// The diff of two versions for a caller in the server: exact where that is quick, coarse otherwise.
import { coarseDiff } from "../diff/coarse-diff.ts";
import type { LineDiff } from "../diff/line-diff.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const CPU_LIMIT_MS = 2_000;

/** Diffs two texts by lines within 2 s of processor time; past that, `coarse` is true. @throws busy */
export async function diffLines(before: string, after: string, work: Work): Promise<LineDiff> {
  try {
    const options = { work, cpuMs: CPU_LIMIT_MS };
    return (await runInThread("diff", { before, after }, options)) ?? coarseDiff(before, after);
  } catch (error) {
    if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return coarseDiff(before, after);
    throw error;
  }
}
