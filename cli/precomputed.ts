// Answers the lines an agent starts its session with from texts that the build had the program itself print
// (docs/decisions/command-line.md, "Precomputed schema output"): they are the same in every run, so nothing needs to be
// made for them. Any other line, a terminal, and settings that ask for another form or are wrong are left to run.ts.
import type { Io } from "./io/io.ts";
import { resolveSettings } from "./session/settings.ts";
import { readUserConfig } from "./session/user-config.ts";

/** The folder of the texts as seen from here; set where the executable is built (scripts/build-cli.ts). */
declare const PLINTH_PRECOMPUTED: string;

/** By the words of the line: no word holds a NUL. The script for Node has none, as it would be twice as large. */
const texts: ReadonlyMap<string, () => Promise<unknown>> =
  typeof PLINTH_PRECOMPUTED === "undefined"
    ? new Map()
    : new Map([
        ["schema", () => import(`${PLINTH_PRECOMPUTED}/schema.txt`, { with: { type: "text" } })],
        ["schema\0--compact", () => import(`${PLINTH_PRECOMPUTED}/schema-compact.txt`, { with: { type: "text" } })],
      ]);

/** What standard output gets; null where the line has to be run. */
export async function precomputedOutput(argv: readonly string[], io: Io): Promise<string | null> {
  const load = texts.get(argv.join("\0"));
  if (load === undefined || io.stdout.isTerminal || !(await printsJson(io))) return null;
  const { default: text } = (await load()) as { readonly default: string };
  return text;
}

/** Whether the settings of a line without flags are right, and make it print JSON. */
async function printsJson(io: Io): Promise<boolean> {
  try {
    return resolveSettings({ flags: {} }, io, await readUserConfig(io.env)).format === "json";
  } catch {
    // Running the line meets the same, and says what it is.
    return false;
  }
}
