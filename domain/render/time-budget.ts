// The time that one rendering may spend on what a document can do without: colours and formulas.

export interface TimeBudget {
  /** Milliseconds, at least one. */
  readonly left: () => number;
  /** Whether there is none left; from then on something has been left out. */
  readonly isSpent: () => boolean;
  /** Something was left out for want of time. */
  readonly wasShort: () => boolean;
}

/** A budget that ends that many milliseconds from now. */
export function timeBudget(milliseconds: number): TimeBudget {
  const end = performance.now() + milliseconds;
  let short = false;
  const left = () => Math.max(1, end - performance.now());
  return { left, isSpent: () => (short ||= performance.now() >= end), wasShort: () => short };
}
