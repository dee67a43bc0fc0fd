// Which cases are run in which form by which distribution. The binary runs all of them. Node takes six times as long to
// start, and what it could do otherwise is not how one code is told from another of the same exit code: it runs every
// success, and every form of one refusal for each exit code, another one for each command.
import { isRefusal, type Case, type Form } from "./cases.ts";
import { exitCodeOf } from "./expectations.ts";

export interface Planned {
  readonly test: Case;
  readonly form: Form;
}

/** The runs of one command; `place` is the command's in the catalogue. */
export function plan(cases: readonly Case[], distribution: "binary" | "node", place: number): Planned[] {
  const chosen = distribution === "binary" ? cases : thinned(cases, place);
  return chosen.flatMap((test) => test.forms.map((form) => ({ test, form })));
}

function thinned(cases: readonly Case[], place: number): Case[] {
  const refused = Map.groupBy(
    cases.filter(({ outcome }) => isRefusal(outcome)),
    ({ outcome }) => (isRefusal(outcome) ? exitCodeOf(outcome.code) : 0),
  );
  const picked = [...refused.values()].flatMap((same) => same[place % same.length] ?? []);
  return [...cases.filter(({ outcome }) => !isRefusal(outcome)), ...picked];
}
