// The verdicts of earlier runs, one JSON line each, so that a run that was cut short goes on where it ended.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

import type { Verdict } from "./judge.ts";
import type { Mutant } from "./mutant.ts";

export type Judged = Mutant & Verdict;

export function openLedger(path: string) {
  const read = (): Judged[] =>
    existsSync(path)
      ? readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Judged)
      : [];
  const verdicts = new Map(read().map((judged) => [keyOf(judged), judged]));
  return {
    /** The latest verdict on a mutant, if it was judged. */
    find: (mutant: Mutant): Judged | undefined => verdicts.get(keyOf(mutant)),
    survived: (): Judged[] => [...verdicts.values()].filter(({ outcome }) => outcome === "survived"),
    add(mutant: Mutant, verdict: Verdict): void {
      const judged = { ...mutant, ...verdict };
      verdicts.set(keyOf(mutant), judged);
      appendFileSync(path, `${JSON.stringify(judged)}\n`);
    },
  };
}

/** Without the line's number: a change elsewhere in the file leaves a mutant what it is. */
const keyOf = ({ file, operator, before, replaced, text }: Mutant): string =>
  JSON.stringify([file, operator, before, replaced, text]);
