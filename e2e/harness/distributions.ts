// The released forms of the command line, as `bun run build:cli` makes them. Fails if one cannot be run, because a test
// of one form says nothing about the other.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { repository } from "./process.ts";

export interface Distribution {
  readonly name: "binary" | "node";
  /** The words before those of a line, with absolute paths. */
  readonly command: readonly string[];
}

/** The oldest Node that the npm package supports. */
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

/** The first Node on the PATH. Skips Bun, which can have that name there (`bun --bun run`). */
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
