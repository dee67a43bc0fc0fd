// From what became of the files of a push to the command's result and failure (experience 2, "push").
import { ownFailure, Failure } from "../failure.ts";
import type { Result } from "../output/result.ts";
import type { Outcome } from "./publish-all.ts";
import type { Push, Pushed } from "./publish.ts";

/** The result of one file alone. @throws Failure */
export function resultOfOne(outcome: Outcome): Result {
  if (outcome === null || outcome instanceof Failure) throw outcome ?? ownFailure("interrupted", "Nothing was sent");
  return { value: outcome, text: () => outcome.url };
}

/** The results of those that went through, and the failure that names all others. @throws Failure where none did */
export function resultOfMany(pushes: readonly Push[], outcomes: readonly Outcome[]): Result {
  const results: (Pushed & { file: string })[] = [];
  const failures: Failure[] = [];
  const errors: { path: string; message: string }[] = [];
  for (const [place, { source }] of pushes.entries()) {
    const outcome = outcomes[place] ?? null;
    if (outcome === null) errors.push({ path: source.name, message: "not sent" });
    else if (outcome instanceof Failure) {
      failures.push(outcome);
      errors.push({ path: source.name, message: `${outcome.problem.code}: ${outcome.problem.detail}` });
    } else results.push({ file: source.name, ...outcome });
  }
  const [first] = failures;
  if (first && results.length === 0 && failures.every(({ exitCode }) => exitCode === first.exitCode)) throw first;
  const failure =
    first &&
    ownFailure("partial_failure", `${errors.length} of ${pushes.length} files were not published`, {
      errors,
      hint: "Run it again for those; --ensure leaves the others as they are",
      cause: first,
    });
  if (failure && results.length === 0) throw failure;
  return {
    value: { results },
    items: results,
    text: () => results.map(({ url }) => url).join("\n"),
    ...(failure && { failure }),
  };
}
