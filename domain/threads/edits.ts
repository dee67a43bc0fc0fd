// Edits of a large text, applied outside the server's process: each searches and copies all of it.
import type { Edit, Edited } from "../edits/apply-edits.ts";
import { compressed } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

/** Sixteen edits of 16 MiB take a tenth of it. Only texts that are made to be slow to search take longer. */
const CPU_LIMIT_MS = 3_000;

interface EditedSource {
  readonly source: Uint8Array<ArrayBuffer>;
  readonly edits: readonly Edit[];
  readonly limitBytes: number;
}

/** The text with its edits; "too slow" where they took too long or too much memory. @throws busy */
export async function editInThread({ source, ...wanted }: EditedSource, work: Work): Promise<Edited | "too slow"> {
  const content = await compressed(source);
  try {
    return await runInThread("edits", { content, ...wanted }, { work, cpuMs: CPU_LIMIT_MS });
  } catch (error) {
    if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return "too slow";
    throw error;
  }
}
