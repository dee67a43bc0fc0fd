// Owns the build of the command-line client: one executable that needs nothing else.
import { ensure } from "./step.ts";

/** Builds cli/dist/plinth unless it is up to date. The dependencies are installed. */
export function buildCli(): void {
  ensure({
    name: "building the command-line client",
    source: "cli/main.ts",
    inputs: ["cli", "contract", "bun.lock"],
    output: "cli/dist/plinth",
    arguments: ["build", "--compile", "--bytecode", "--minify", "--outfile=cli/dist/plinth", "cli/main.ts"],
  });
}

if (import.meta.main) buildCli();
