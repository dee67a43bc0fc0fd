// The processor time that one rendering may spend on what a document can do without: colours and formulas.
import { cpuClock } from "./cpu-clock.ts";

export interface TimeBudget {
  /** Milliseconds, at least one. */
  readonly left: () => number;
  /** Whether there is none left; from then on something has been left out. */
  readonly isSpent: () => boolean;
  /** Something was left out for want of time. */
  readonly wasShort: () => boolean;
}

/** A budget of that many milliseconds from now on. */
export function timeBudget(milliseconds: number): TimeBudget {
  const end = cpuClock() + milliseconds;
  let short = false;
  const left = () => Math.max(1, end - cpuClock());
  return { left, isSpent: () => (short ||= cpuClock() >= end), wasShort: () => short };
}
