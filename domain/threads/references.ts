// Finds the references of documents and package files, and bundles modules, for a caller in the server, within a limit
// of processor time.
import type { Bundle } from "../packages/bundle/make-bundle.ts";
import type { RelativePathsOf } from "../packages/closure.ts";
import { PackageProblem } from "../packages/problem.ts";
import type { Reference } from "../packages/reference.ts";
import { packText } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import type { ReferringKind } from "./tasks.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const CPU_LIMIT_MS = 3_000;
/** For up to 24 MB of compressed scripts. */
const BUNDLE_CPU_LIMIT_MS = 20_000;

export interface FoundReferences {
  readonly references: readonly Reference[];
  /** Whether all of it was read. */
  readonly whole: boolean;
}

/** The URLs that a document or a file beside it loads; none where it takes too long. @throws busy */
export async function referencesOf(text: string, kind: ReferringKind, work: Work): Promise<FoundReferences> {
  const input = { content: await packText(text), kind };
  try {
    return { references: await runInThread("references", input, { work, cpuMs: CPU_LIMIT_MS }), whole: true };
  } catch (error) {
    if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return { references: [], whole: false };
    throw error;
  }
}

/** @throws PackageProblem where the modules take too long or too much memory, and busy */
export const bundleFor =
  (work: Work): Bundle =>
  (input) =>
    runInThread("bundle", input, { work, cpuMs: BUNDLE_CPU_LIMIT_MS }).catch(
      tooLarge("The document's modules are too much to bundle"),
    );

/** @throws PackageProblem where a package's files take too long, and busy */
export const relativePathsFor =
  (work: Work): RelativePathsOf =>
  async (texts) => {
    const packed = await Promise.all(texts.map(async ({ path, text }) => ({ path, content: await packText(text) })));
    return runInThread("relativePaths", packed, { work, cpuMs: CPU_LIMIT_MS }).catch(
      tooLarge("The package's files are too much to read"),
    );
  };

/** Throws what a task failed with, as the document's fault where it was one. */
const tooLarge =
  (message: string) =>
  (error: unknown): never => {
    if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
    throw new PackageProblem("too-large", message, { cause: error });
  };
