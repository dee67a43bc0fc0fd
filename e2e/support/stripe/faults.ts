// Failures on demand, as a client meets them.

export type Fault =
  /** 500, 429 or 409 (lock_timeout), before anything is done. */
  | 500
  | 429
  | 409
  /** 500, which the request's idempotency key keeps: Stripe answers the same whenever that key is used again. */
  | "500-kept"
  /** No answer, ever; nothing is done. */
  | "hang"
  /** Done, and no answer, ever. */
  | "hang-after"
  /** The connection ends; nothing is done. The official client retries once by itself, with any configuration. */
  | "drop"
  /** Done, and the connection ends. */
  | "drop-after";

export interface Faults {
  /** The next requests fail, one each, in this order; null lets one pass. */
  next(...faults: readonly (Fault | null)[]): void;
  /** A share of all requests fails, from 0 to 1, each with one of these; the same ones for the same seed. */
  share(seed: number, share: number, among: readonly Fault[]): void;
  /** No failures any more. */
  none(): void;
}

export function createFaults(): Faults & { take(): Fault | null } {
  let queued: (Fault | null)[] = [];
  let drawn: () => Fault | null = () => null;
  return {
    next: (...faults) => void queued.push(...faults),
    share(seed, share, among) {
      const random = randomFrom(seed);
      drawn = () => (random() < share ? (among[Math.floor(random() * among.length)] ?? null) : null);
    },
    none() {
      queued = [];
      drawn = () => null;
    },
    take: () => queued.shift() ?? drawn(),
  };
}

/** Numbers from 0 to 1, the same for the same seed: a linear congruential generator is enough to choose failures. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
