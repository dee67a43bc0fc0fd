// Owns the build of the command-line client in both its forms: one executable that needs nothing else, and one
// script for Node 20 and newer.
import { ensure } from "./step.ts";

const inputs = ["cli", "contract", "bun.lock"];

/** Builds cli/dist/plinth and cli/dist/npm/plinth.js unless they are up to date. The dependencies are installed. */
export function buildCli(): void {
  ensure({
    name: "building the command-line client",
    source: "cli/main.ts",
    inputs,
    output: "cli/dist/plinth",
    arguments: ["build", "--compile", "--bytecode", "--minify", "--outfile=cli/dist/plinth", "cli/main.ts"],
  });
  ensure({
    name: "building the command-line client for Node",
    source: "cli/main.ts",
    inputs,
    output: "cli/dist/npm/plinth.js",
    arguments: ["build", "--target=node", "--minify", "--outfile=cli/dist/npm/plinth.js", "cli/main.ts"],
  });
}

if (import.meta.main) buildCli();
