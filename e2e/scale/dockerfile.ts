// Reads the Dockerfile into stages of steps, and .dockerignore into what the image may be built from. Knows the parts of
// both formats that the files use.
import { join } from "node:path";

import { repository } from "../harness/process.ts";

export interface Step {
  readonly instruction: string;
  /** What follows the instruction, continued lines joined. */
  readonly rest: string;
}

export interface Stage {
  readonly from: string;
  readonly name: string | null;
  readonly steps: readonly Step[];
}

export async function readStages(): Promise<Stage[]> {
  const text = await Bun.file(join(repository, "Dockerfile")).text();
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\s*\\\n\s*/g, " ")
    .split("\n");
  const stages: { from: string; name: string | null; steps: Step[] }[] = [];
  for (const line of lines.filter((each) => each.trim() !== "")) {
    const [, instruction = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line.trim()) ?? [];
    if (instruction === "") throw new Error(`Dockerfile: ${line}`);
    if (instruction === "FROM") {
      const [from = "", , name = null] = rest.split(" ");
      stages.push({ from, name, steps: [] });
    } else stages.at(-1)?.steps.push({ instruction, rest });
  }
  return stages;
}

export interface Copy {
  /** The stage it comes from; null for the context. */
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

export function copyOf({ rest }: Step): Copy {
  const words = rest.split(/\s+/);
  const from = words[0]?.startsWith("--from=") ? words.shift()!.slice("--from=".length) : null;
  const target = words.pop() ?? "";
  return { from, sources: words, target };
}

/** The words of a step in its JSON form. @throws Error where it is in the form for a shell */
export const wordsOf = (rest: string): string[] => JSON.parse(rest.slice(rest.indexOf("["))) as string[];

/** The variables of the last stage. */
export const variablesOf = (stage: Stage | undefined): Record<string, string> =>
  Object.fromEntries(
    (stage?.steps ?? [])
      .filter(({ instruction }) => instruction === "ENV")
      .flatMap(({ rest }) => rest.split(/\s+/).map((pair) => pair.split("=") as [string, string])),
  );

/** The files of the checkout that a build is given: what git knows, without what .dockerignore names. */
export async function contextFiles(): Promise<string[]> {
  const ignored = (await Bun.file(join(repository, ".dockerignore")).text())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ excepts: line.startsWith("!"), pattern: line.replace(/^!/, "") }));
  const rules = ignored.map(({ excepts, pattern }) => ({
    excepts,
    whole: new Bun.Glob(pattern),
    inside: new Bun.Glob(`${pattern}/**`),
  }));
  const listed = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: repository,
  });
  if (!listed.success) throw new Error(listed.stderr.toString());
  const files = listed.stdout
    .toString()
    .split("\0")
    .filter((path) => path !== "");
  // The last rule that speaks of a file decides.
  const isIgnored = (path: string) =>
    rules.findLast(({ whole, inside }) => whole.match(path) || inside.match(path))?.excepts === false;
  const existing = await Promise.all(
    files
      .filter((path) => !isIgnored(path))
      .map(async (path) => ((await Bun.file(join(repository, path)).exists()) ? path : "")),
  );
  return existing.filter((path) => path !== "");
}
