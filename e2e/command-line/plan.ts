// Which cases are run in which form by which distribution. All of them where COMMAND_LINES=all, which takes ten minutes;
// else every success in every form, and of the refusals, which are many: the binary meets each code, those of one exit
// code in text and JSON by turns; Node, which takes four times as long, another one for each command.
import { isRefusal, type Case, type Form } from "./cases.ts";
import { exitCodeOf } from "./expectations.ts";

export interface Planned {
  readonly test: Case;
  readonly form: Form;
}

const wantsAll = process.env["COMMAND_LINES"] === "all";

/** The runs of one command; `place` is the command's in the catalogue. */
export function plan(cases: readonly Case[], distribution: "binary" | "node", place: number): Planned[] {
  const chosen = wantsAll ? cases : thinned(cases, distribution, place);
  return chosen.flatMap((test) => test.forms.map((form) => ({ test, form })));
}

function thinned(cases: readonly Case[], distribution: "binary" | "node", place: number): Case[] {
  const refused = cases.filter(({ outcome }) => isRefusal(outcome));
  return [
    ...cases.filter(({ outcome }) => !isRefusal(outcome)),
    ...(distribution === "binary" ? byTurns(refused, place) : refused.slice(place % refused.length).slice(0, 1)),
  ];
}

/** Each of the refusals in one form, the next one of the same exit code in the next; one without others in all. */
function byTurns(refused: readonly Case[], place: number): Case[] {
  const alike = Map.groupBy(refused, ({ outcome }) => (isRefusal(outcome) ? exitCodeOf(outcome.code) : 0));
  return [...alike.values()].flatMap((same) =>
    same.length === 1
      ? [...same]
      : same.map((one, at) => ({
          ...one,
          forms: one.forms.filter((_, turn) => turn === (place + at) % one.forms.length),
        })),
  );
}
