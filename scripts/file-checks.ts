// The checks of single files: their form and their lint rules without types, which take a second. The git hook and
// `bun run check --changed` run them; it must not know which files those are.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { root } from "./step.ts";

/** The configurations that a copy of files needs to be checked. */
export const configurations = [".oxfmtrc.json", ".oxlintrc.json", ".oxlintrc.staged.json"];

/** Lints files without types; false, with the faults printed, where there are any. */
export function lint(folder: string, files: readonly string[]): boolean {
  if (files.length === 0) return true;
  const { exitCode, output } = tool(folder, "oxlint", ["-c", ".oxlintrc.staged.json", ...files]);
  if (exitCode !== 0) console.error(output);
  return exitCode === 0;
}

/** Which files are not formatted, and whether all can be parsed. */
export function unformattedOf(
  folder: string,
  files: readonly string[],
): { unformatted: string[]; isReadable: boolean } {
  if (files.length === 0) return { unformatted: [], isReadable: true };
  const { exitCode, output, errors } = tool(folder, "oxfmt", ["--list-different", ...files]);
  // 1 means that some files differ, 2 that a file can't be read.
  if (exitCode > 1) console.error(errors);
  return { unformatted: output.split("\n").filter((line) => files.includes(line)), isReadable: exitCode <= 1 };
}

/** Formats files. */
export const format = (folder: string, files: readonly string[]): void => void tool(folder, "oxfmt", files);

export const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

/** Runs a tool of this checkout in a folder, on the files that the tool supports. */
function tool(folder: string, name: string, words: readonly string[]) {
  const path = join(root, "node_modules/.bin", name);
  if (!existsSync(path)) throw new Error("The dependencies are not installed: run `bun install`, then commit again");
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    [process.execPath, "--bun", path, "--no-error-on-unmatched-pattern", ...words],
    { cwd: folder },
  );
  return { exitCode, output: stdout.toString().trimEnd(), errors: stderr.toString().trimEnd() };
}

/** The output of a git command. @throws Error where it fails */
export function git(checkout: string, ...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...words], { cwd: checkout });
  if (exitCode !== 0) throw new Error(`git ${words[0]} failed: ${stderr.toString().trim()}`);
  return stdout.toString();
}

/** The names in an output of git with `-z`. */
export const names = (output: string): string[] => output.split("\0").filter((name) => name !== "");
