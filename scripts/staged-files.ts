// The pre-commit hook: formats the staged files and lints them without types, which takes a second; `bun run check`
// does the rest. A file with unstaged changes is never rewritten: its staged content is checked in a copy.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { configurations, format, git, indented, lint, names, unformattedOf } from "./file-checks.ts";

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
  return [formatStaged(checkout, whole), lint(checkout, whole), checkCopy(checkout, partly)].every(Boolean);
}

function formatStaged(checkout: string, files: readonly string[]): boolean {
  const { unformatted, isReadable } = unformattedOf(checkout, files);
  if (!isReadable || unformatted.length === 0) return isReadable;
  format(checkout, unformatted);
  git(checkout, "--literal-pathspecs", "add", "--", ...unformatted);
  console.error(`plinth: formatted and staged again:\n${indented(unformatted)}`);
  return true;
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

const namesOf = (checkout: string, ...options: string[]): string[] =>
  names(git(checkout, "diff", "--name-only", "--no-renames", "-z", ...options));

// Git runs hooks in the root of the checkout.
if (import.meta.main && !checkStaged(process.cwd())) {
  console.error("plinth: nothing is committed. `git commit --no-verify` commits without these checks.");
  process.exitCode = 1;
}
