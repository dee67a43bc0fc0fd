// The result and failure of a push from the outcome of each file (docs/reference/experience.md §2, "push"), and `--open`.
import type { FieldError } from "@plinth/contract/errors";

import type { Context } from "../command/context.ts";
import { Failure, ownFailure } from "../failure/failure.ts";
import type { Result } from "../output/print.ts";
import { oneLine } from "../terminal/style.ts";
import type { Outcome } from "./publish-all.ts";
import { findingsOf, type Findings } from "./findings.ts";
import type { Pushed } from "./publish.ts";
import type { Push } from "./push.ts";

/** The result of one file alone. @throws Failure */
export function resultOfOne(push: Push, outcome: Outcome): Result {
  if (outcome instanceof Failure) throw inFile(push.source.name, outcome);
  if (outcome === null) throw ownFailure("interrupted", "Nothing was sent");
  return { value: withFindings(push, outcome), text: () => oneLine(outcome.url) };
}

/**
 * The results of those that went through, and the failure that names all others. `more` is said of the folder.
 * @throws Failure where none did
 */
export function resultOfMany(pushes: readonly Push[], outcomes: readonly Outcome[], more: object = {}): Result {
  const results: (Pushed & Findings & { file: string })[] = [];
  const failures: Failure[] = [];
  const errors: FieldError[] = [];
  for (const [place, push] of pushes.entries()) {
    const { source } = push;
    const outcome = outcomes[place] ?? null;
    if (outcome === null) errors.push({ path: source.name, message: "not sent" });
    else if (outcome instanceof Failure) {
      failures.push(outcome);
      errors.push(errorOf(source.name, outcome));
    } else results.push({ file: source.name, ...withFindings(push, outcome) });
  }
  const [first] = failures;
  if (first && results.length === 0 && failures.every(({ exitCode }) => exitCode === first.exitCode))
    throw failures.length === 1 ? first : ofAll(first, errors, pushes.length);
  const failure =
    first &&
    ownFailure("partial_failure", detailOf(errors, pushes.length), {
      errors,
      hint: "Run it again for those; --ensure leaves the others as they are",
      cause: first,
    });
  if (failure && results.length === 0) throw failure;
  return {
    value: { results, ...more },
    items: results,
    text: () => results.map(({ url }) => oneLine(url)).join("\n"),
    ...(failure && { failure }),
  };
}

/** All files failed in one way: the failure of the first, which says of how many it is. */
function ofAll({ problem, next, cause }: Failure, errors: readonly FieldError[], all: number): Failure {
  const isTaken = problem.code === "slug_conflict" && problem.hint?.includes("--ensure");
  const hint = isTaken ? "Add --ensure to publish new versions of what is there" : problem.hint;
  return new Failure(
    { ...problem, detail: detailOf(errors, all), errors: errors.slice(0, 100), ...(hint && { hint }) },
    isTaken ? null : next,
    cause,
  );
}

const withFindings = (push: Push, outcome: Pushed): Pushed & Findings => ({ ...outcome, ...findingsOf(push) });

const detailOf = (errors: readonly FieldError[], all: number): string =>
  errors.length === 1 ? `${errors[0]?.path} was not published` : `${errors.length} of ${all} files were not published`;

/** The fault of the file, with line and column if they are known. */
function errorOf(path: string, { problem }: Failure): FieldError {
  const place = problem.errors?.find(({ line }) => line !== undefined);
  return {
    path,
    message: `${problem.code}: ${problem.detail}`,
    ...(place?.line !== undefined && { line: place.line }),
    ...(place?.column !== undefined && { column: place.column }),
  };
}

/** The failure of a file for a reader who may look at several: its places name the file, not the field it was sent in. */
export function inFile(path: string, { problem, next, cause }: Failure): Failure {
  const errors = problem.errors?.map((error) => (error.line === undefined ? error : { ...error, path }));
  return new Failure({ ...problem, ...(errors && { errors }) }, next, cause);
}

/** Shows the first that was published. The address is on standard output all the same. */
export async function openFirst(outcomes: readonly Outcome[], { io, settings, progress }: Context): Promise<void> {
  const first = outcomes.find((outcome): outcome is Pushed => outcome !== null && !(outcome instanceof Failure));
  if (!first || settings.check) return;
  if (settings.noInput) progress("Not opened: --no-input leaves the browser alone");
  else if (!(await io.openBrowser(first.url))) progress("No browser could be opened");
}
