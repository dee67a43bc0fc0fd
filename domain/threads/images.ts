// The images of other sites that an html document shows, for a caller in the server, within a limit of processor time.
import type { ImageReference } from "../images/reference.ts";
import { packText } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const CPU_LIMIT_MS = 3_000;

export interface FoundImages {
  readonly images: readonly ImageReference[];
  /** Whether all of the document was read. */
  readonly whole: boolean;
}

/** None where it takes too long. @throws busy */
export async function imagesOf(html: string, work: Work): Promise<FoundImages> {
  const content = await packText(html);
  try {
    return { images: await runInThread("images", { content }, { work, cpuMs: CPU_LIMIT_MS }), whole: true };
  } catch (error) {
    if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return { images: [], whole: false };
    throw error;
  }
}
