// Which cases are run in which form by which distribution. The binary runs all of them. Node takes six times as long to
// start, and one code is not told from another of the same exit code by what runs it: it runs every success, and of the
// refusals with the same exit code another one for each command, in both forms.
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
  return [
    ...cases.filter(({ outcome }) => !isRefusal(outcome)),
    ...[...refused.values()].flatMap((same) => inBothForms(same, place)),
  ];
}

/** One of the cases, the first that has every form where the one whose turn it is has but one. */
function inBothForms(same: readonly Case[], place: number): Case[] {
  const one = same[place % same.length];
  if (one === undefined || one.forms.length > 1) return one ? [one] : [];
  const whole = same.find(({ forms }) => forms.length > 1);
  return whole ? [one, { ...whole, forms: whole.forms.filter((form) => !one.forms.includes(form)) }] : [one];
}
