// Failures on demand, as a client meets them.

export type Fault =
  /** 500, 429 or 409 (lock_timeout), before anything is done. */
  | 500
  | 429
  | 409
  /** No answer, ever; nothing is done. */
  | "hang"
  /** Done, and no answer, ever. */
  | "hang-after"
  /** Done, and the connection ends. The official client retries once by itself, with any configuration. */
  | "drop-after";

export class Faults {
  #queued: (Fault | null)[] = [];
  #drawn: () => Fault | null = () => null;

  /** The next requests fail, one each, in this order; null lets one pass. */
  next(...faults: readonly (Fault | null)[]): void {
    this.#queued.push(...faults);
  }

  /** A share of all requests fails, from 0 to 1, each with one of these; the same ones for the same seed. */
  share(seed: number, share: number, among: readonly Fault[]): void {
    const random = randomFrom(seed);
    this.#drawn = () => (random() < share ? (among[Math.floor(random() * among.length)] ?? null) : null);
  }

  /** No failures any more. */
  none(): void {
    this.#queued = [];
    this.#drawn = () => null;
  }

  take(): Fault | null {
    return this.#queued.shift() ?? this.#drawn();
  }
}

/** Numbers from 0 to 1, the same for the same seed: a linear congruential generator is enough to choose failures. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
