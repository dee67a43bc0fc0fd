// The forms the command line is handed out in, as `bun run build:cli` makes them. Fails loudly where one cannot be
// run: a test of one form alone would say nothing about the other.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { repository } from "./process.ts";

export interface Distribution {
  readonly name: "binary" | "node";
  /** What to put before the words of a line; absolute paths. */
  readonly command: readonly string[];
}

/** The oldest Node the npm package says it runs on. */
const oldestNode = 20;

export const distributions: readonly [Distribution, Distribution] = [
  { name: "binary", command: [built("cli/dist/plinth")] },
  { name: "node", command: [findNode(), built("cli/dist/npm/plinth.js")] },
];

function built(path: string): string {
  const absolute = join(repository, path);
  if (!existsSync(absolute)) throw new Error(`${path} is missing: bun run build:cli`);
  return absolute;
}

/** The first Node on the PATH. Bun may stand there under that name (`bun --bun run`), and is passed over. */
function findNode(): string {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const candidate = join(folder, "node");
    if (folder === "" || !existsSync(candidate)) continue;
    const script = "process.versions.bun ? 0 : Number.parseInt(process.versions.node)";
    const asked = Bun.spawnSync([candidate, "-p", script], { stderr: "ignore" });
    if (asked.exitCode === 0 && Number(asked.stdout) >= oldestNode) return candidate;
  }
  throw new Error(`No Node ${oldestNode} or newer is on the PATH: the npm package of the command line needs it`);
}
