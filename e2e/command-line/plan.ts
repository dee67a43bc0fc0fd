// Which cases are run in which form by which distribution. All of them where COMMAND_LINES=all; else every success in
// every form, and of the refusals, which are many: the binary meets each code, those of one exit code in text and JSON by
// turns; Node, which takes six times as long to start, one code of each exit code, another for each command, in both.
import { isRefusal, type Case, type Form } from "./cases.ts";
import { exitCodeOf } from "./expectations.ts";

export interface Planned {
  readonly test: Case;
  readonly form: Form;
}

const wantsAll = process.env["COMMAND_LINES"] === "all";

/** The runs of one command; `place` is the command's in the catalogue. */
export function plan(cases: readonly Case[], distribution: "binary" | "node", place: number): Planned[] {
  const chosen = wantsAll ? cases : thinned(cases, distribution === "binary" ? byTurns : inBothForms, place);
  return chosen.flatMap((test) => test.forms.map((form) => ({ test, form })));
}

type Thin = (same: readonly Case[], place: number) => Case[];

/** All successes, and of the refusals with the same exit code what is left of them. */
function thinned(cases: readonly Case[], thin: Thin, place: number): Case[] {
  const refused = Map.groupBy(
    cases.filter(({ outcome }) => isRefusal(outcome)),
    ({ outcome }) => (isRefusal(outcome) ? exitCodeOf(outcome.code) : 0),
  );
  return [
    ...cases.filter(({ outcome }) => !isRefusal(outcome)),
    ...[...refused.values()].flatMap((same) => thin(same, place)),
  ];
}

/** Each of the cases in one form, the next one in the next; a case without others in all of its forms. */
const byTurns: Thin = (same, place) =>
  same.length === 1
    ? [...same]
    : same.map((one, at) => ({
        ...one,
        forms: one.forms.filter((_, turn) => turn === (place + at) % one.forms.length),
      }));

/** One of the cases, the first that has every form where the one whose turn it is has but one. */
const inBothForms: Thin = (same, place) => {
  const one = same[place % same.length];
  if (one === undefined || one.forms.length > 1) return one ? [one] : [];
  const whole = same.find(({ forms }) => forms.length > 1);
  return whole ? [one, { ...whole, forms: whole.forms.filter((form) => !one.forms.includes(form)) }] : [one];
};
