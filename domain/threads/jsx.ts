// Compiles a jsx document for a caller in the server, in a thread with a limit of processor time.
import type { CompiledJsx } from "../render/jsx/compiler.ts";
import type { JsxProblem } from "../render/jsx/problems.ts";
import { packText } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import type { PackedFilesBeside } from "./tasks.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

export type { JsxProblem } from "../render/jsx/problems.ts";

const CPU_LIMIT_MS = 3_000;

/** The source does not compile, or asks for what a document may not have. */
export class JsxError extends Error {
  override name = "JsxError";
  constructor(readonly problems: JsxProblem[]) {
    super(problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join("\n"));
  }
}

/**
 * Compiles jsx or tsx, with what it imports of the files beside it, to the text of an inline module that mounts its default
 * export.
 * @throws JsxError with 1 to 20 problems, each with its place in the source
 * @throws busy
 */
export async function compileJsx(
  source: string,
  work: Work,
  beside: PackedFilesBeside | null = null,
): Promise<CompiledJsx> {
  const input = { content: await packText(source), beside };
  const outcome = await runInThread("jsx", input, { work, cpuMs: CPU_LIMIT_MS }).catch(asProblem);
  if ("problems" in outcome) throw new JsxError(outcome.problems.map(withFileName));
  return outcome;
}

/** A place counts in its file, so the message names the file. */
export const withFileName = (problem: JsxProblem): JsxProblem =>
  problem.file === undefined ? problem : { ...problem, message: `${problem.file}: ${problem.message}` };

function asProblem(error: unknown): { problems: JsxProblem[] } {
  const message =
    error instanceof ThreadTimeout
      ? `The source takes more than ${CPU_LIMIT_MS / 1_000} s of processor time to compile.`
      : "The source is too deeply nested or too large to compile.";
  if (!(error instanceof ThreadTimeout || error instanceof ThreadFailure)) throw error;
  return { problems: [{ line: 1, column: 1, message }] };
}
