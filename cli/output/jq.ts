// `--jq`: the result through jq itself, as `gh --jq` prints it. It is loaded only by lines that have a program.
import { clientFailure, usage } from "../failure/failure.ts";

/** Of jq: the program is none. */
const compileError = 3;

/** Reads a program; what it makes of a value: a line an output, text as it is, anything else as JSON. @throws Failure usage */
export async function jqFilter(program: string): Promise<(value: unknown) => string> {
  const jq = await (await import("jq-wasm/inline")).loadJq();
  // Compiled alone: it gets no input.
  const { exitCode, stderr } = jq.raw(null, `empty | (${program}\n)`);
  if (exitCode === compileError)
    throw usage(`--jq is no jq program: ${reasonOf(stderr)}`, { hint: "The language is that of jqlang.org/manual" });
  return (value) => {
    const run = jq.raw(JSON.stringify(value ?? null), program, ["-r", "-c"]);
    if (run.exitCode === 0) return run.stdout;
    throw clientFailure("internal", `--jq failed on the result: ${reasonOf(run.stderr)}`, {
      hint: "The command itself was done; see its result with --format json",
    });
  };
}

const reasonOf = (stderr: string): string =>
  (stderr.split("\n")[0] ?? "").replace(/^jq: error(?: \(at [^)]*\))?: /, "").replace(/ at <top-level>.*$/, "");
