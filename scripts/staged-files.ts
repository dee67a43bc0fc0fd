// The pre-commit hook: formats the staged files and lints them without types, which takes a second; `bun run check`
// does the rest. A file with unstaged changes is never rewritten: its staged content is checked in a copy.
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { root } from "./step.ts";

const configurations = [".oxfmtrc.json", ".oxlintrc.json", ".oxlintrc.staged.json"];

/**
 * Formats and checks the staged files of a checkout; false, with the reasons printed, where the commit must not
 * proceed.
 */
export function checkStaged(checkout: string): boolean {
  const staged = namesOf(checkout, "--cached", "--diff-filter=ACMR");
  const changed = new Set(namesOf(checkout));
  // `git commit FILE` commits a separate index: the real index would undo a change that is added to it here.
  const isOwnIndex = basename(process.env["GIT_INDEX_FILE"] ?? "").startsWith("next-index");
  const isPartly = (file: string): boolean => isOwnIndex || changed.has(file);
  const whole = staged.filter((file) => !isPartly(file));
  const partly = staged.filter(isPartly);
  // All of them run, so that one attempt shows every fault.
  return [format(checkout, whole), lint(checkout, whole), checkCopy(checkout, partly)].every(Boolean);
}

function format(checkout: string, files: readonly string[]): boolean {
  const { unformatted, isReadable } = unformattedOf(checkout, files);
  if (!isReadable || unformatted.length === 0) return isReadable;
  tool(checkout, "oxfmt", unformatted);
  git(checkout, "--literal-pathspecs", "add", "--", ...unformatted);
  console.error(`plinth: formatted and staged again:\n${indented(unformatted)}`);
  return true;
}

function lint(folder: string, files: readonly string[]): boolean {
  if (files.length === 0) return true;
  const { exitCode, output } = tool(folder, "oxlint", ["-c", ".oxlintrc.staged.json", ...files]);
  if (exitCode !== 0) console.error(output);
  return exitCode === 0;
}

/** Checks the staged content of files in a temporary folder, and changes nothing. */
function checkCopy(checkout: string, files: readonly string[]): boolean {
  if (files.length === 0) return true;
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "plinth-staged-")));
  try {
    git(checkout, "checkout-index", `--prefix=${copy}/`, "--", ...new Set([...configurations, ...files]));
    const { unformatted, isReadable } = unformattedOf(copy, files);
    if (unformatted.length > 0)
      console.error(`plinth: staged in part and not formatted; format and stage again:\n${indented(unformatted)}`);
    return [isReadable && unformatted.length === 0, lint(copy, files)].every(Boolean);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function unformattedOf(folder: string, files: readonly string[]): { unformatted: string[]; isReadable: boolean } {
  if (files.length === 0) return { unformatted: [], isReadable: true };
  const { exitCode, output, errors } = tool(folder, "oxfmt", ["--list-different", ...files]);
  // 1 means that some files differ, 2 that a file can't be read.
  if (exitCode > 1) console.error(errors);
  return { unformatted: output.split("\n").filter((line) => files.includes(line)), isReadable: exitCode <= 1 };
}

const namesOf = (checkout: string, ...options: string[]): string[] =>
  git(checkout, "diff", "--name-only", "--no-renames", "-z", ...options)
    .split("\0")
    .filter((name) => name !== "");

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

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

function git(checkout: string, ...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...words], { cwd: checkout });
  if (exitCode !== 0) throw new Error(`git ${words[0]} failed: ${stderr.toString().trim()}`);
  return stdout.toString();
}

// Git runs hooks in the root of the checkout.
if (import.meta.main && !checkStaged(process.cwd())) {
  console.error("plinth: nothing is committed. `git commit --no-verify` commits without these checks.");
  process.exitCode = 1;
}
