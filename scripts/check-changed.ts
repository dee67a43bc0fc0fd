// `bun run check --changed [ref]`: the checks of the files that differ from a commit, in under ten seconds of processor
// time. It uses the tools of `bun run check` on less, and prints what it leaves out.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { type Check, checkNamed, runChecks } from "./checks.ts";
import { git, indented, lint, names, unformattedOf } from "./file-checks.ts";
import { type Count, root } from "./step.ts";

/** The files that differ from a commit, staged or not, with new and deleted ones. @throws Error without such a commit */
export function changedFiles(checkout: string, ref = "HEAD"): string[] {
  const differing = names(git(checkout, "diff", "--name-only", "--no-renames", "-z", ref, "--"));
  const created = names(git(checkout, "ls-files", "--others", "--exclude-standard", "-z"));
  return [...new Set([...differing, ...created])].toSorted();
}

const presentOf = (checkout: string, changed: readonly string[]): string[] =>
  changed.filter((file) => existsSync(join(checkout, file)));

const isWeb = (file: string): boolean => /^web\/src\/.*\.(?:svelte|ts)$/.test(file);

/** The files of `tsconfig.changed.json`. */
const isTyped = (file: string): boolean =>
  /\.(?:tsx?|json)$/.test(file) && !/^(?:web|e2e)\/|\.(?:test|case)\.tsx?$|(?:^|\/)test(?:ing)?\//.test(file);

/** The checks that a change of these files can fail. Those that read the whole checkout take less than a second each. */
export function checksOf(checkout: string, changed: readonly string[]): Check[] {
  const present = presentOf(checkout, changed);
  const texts = present.filter(isWeb);
  const tsc: Check = {
    name: "tsc",
    command: ["tsc", "--noEmit", "-p", "tsconfig.changed.json", "--singleThreaded"],
    // A rarer collection of garbage saves a third of the processor time of so short a run.
    environment: { GOGC: "400" },
  };
  const literal = { name: "literal text", command: ["scripts/literal-text.ts", ...texts] };
  return [
    ...(changed.some(isTyped) ? [tsc] : []),
    ...["citations", "prose", "generated documents"].map(checkNamed),
    ...(present.length > 0 ? [{ name: "secrets", command: ["scripts/secrets.ts", ...present] }] : []),
    ...(texts.length > 0 ? [literal] : []),
  ];
}

/** The form and the lint rules of the changed files, as the git hook checks them, but nothing is rewritten. */
export function filesAreClean(checkout: string, files: readonly string[]): boolean {
  const { unformatted, isReadable } = unformattedOf(checkout, files);
  if (unformatted.length > 0) console.error(`not formatted (bun run format):\n${indented(unformatted)}`);
  const isClean = isReadable && unformatted.length === 0 && lint(checkout, files);
  console.log(`oxfmt and oxlint of ${files.length} files: ${isClean ? "passed" : "FAILED"}`);
  return isClean;
}

export async function checkChanged(ref?: string): Promise<Count> {
  const changed = changedFiles(root, ref);
  const isClean = filesAreClean(root, presentOf(root, changed));
  const { passed, failed } = await runChecks(checksOf(root, changed));
  console.log(
    "left to `bun run check`: lint rules with types, the types of tests and of web/, and of indirect importers",
  );
  return { passed: passed + (isClean ? 1 : 0), failed: failed + (isClean ? 0 : 1) };
}
