// A stress test: a claim (docs/reference/security.md §4) tried many times against separate instances, from one seed
// that is printed and can be given again.
export interface StressOptions {
  /** How many requests, racers or rounds; each stress test defines it. */
  readonly count: number;
  readonly seed: number;
  /** One family of its cases, if it has families. */
  readonly only?: string;
  /** Whether time limits apply and slow parts run: not in CI, whose machines are shared. */
  readonly timed?: boolean;
  /** Whether a browser captures the published documents, in tests of jobs. */
  readonly screenshots?: boolean;
  /** The folder whose documents are published, for a test that takes one. */
  readonly folder?: string;
  /** The npm registry of the instance; the machine's without one. */
  readonly registry?: string;
}

export interface StressTest {
  readonly claim: string;
  /** The number of a full run. */
  readonly count: number;
  /** The number in CI. */
  readonly shortCount: number;
  /** Whether a folder may be given. */
  readonly takesFolder?: boolean;
  /** Tries the claim. @throws if it does not hold */
  run(options: StressOptions): Promise<Readonly<Record<string, unknown>>>;
}

export const newSeed = (): number => Math.floor(Math.random() * 0x7fffffff);

/** Runs a task for each of `count` numbers, `width` at once. */
export async function inParallel(count: number, width: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}

/** Throws an error with the claim unless the condition is true. */
export function assert(condition: boolean, claim: () => string): asserts condition {
  if (!condition) throw new Error(claim());
}

/** The value that this share of the times is at most, rounded. */
export function atShare(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/** How long something took in all rounds. */
export const spreadOf = (times: readonly number[]) => ({
  median: atShare(times, 0.5),
  p90: atShare(times, 0.9),
  p99: atShare(times, 0.99),
  most: atShare(times, 1),
});
