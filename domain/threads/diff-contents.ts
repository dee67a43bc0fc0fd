// The diff of two stored contents, made and written outside the server's process: exact where that is quick, coarse
// otherwise.
import type { WrittenDiff } from "../diff/written-diff.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import type { ComparedContents } from "./tasks.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const EXACT_CPU_MS = 2_000;
/** The coarse diff of two texts of 16 MiB in lines of one letter, with its JSON, takes a fifth, and on a slow machine half. */
const COARSE_CPU_MS = 12_000;

/** Diffs two contents by lines within 2 s of processor time; past that the diff is coarse. @throws busy */
export async function diffContents(contents: ComparedContents, work: Work): Promise<WrittenDiff> {
  try {
    return await runInThread("diff", { ...contents, isCoarse: false }, { work, cpuMs: EXACT_CPU_MS });
  } catch (error) {
    if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
    return runInThread("diff", { ...contents, isCoarse: true }, { work, cpuMs: COARSE_CPU_MS });
  }
}
