// What is noted in memory while requests are answered, and written down for all of them at once, off their path. What is
// noted when a process dies is lost.

/** Keys noted at once; more are let go until the next flush, so that memory is bounded. */
const notedAtMost = 50_000;

export interface Noted<Value> {
  readonly note: (key: string, value: Value) => void;
  /** Writes down what was noted; nothing where nothing was. Keeps it where that fails. */
  readonly flush: () => Promise<void>;
}

/** `merge` says what stands for a key that is noted twice; `write` gets each key once. */
export function createNoted<Value>(
  merge: (known: Value, more: Value) => Value,
  write: (noted: readonly (readonly [key: string, value: Value])[]) => Promise<unknown>,
): Noted<Value> {
  let noted = new Map<string, Value>();

  function note(key: string, value: Value): void {
    const known = noted.get(key);
    if (known !== undefined) noted.set(key, merge(known, value));
    else if (noted.size < notedAtMost) noted.set(key, value);
  }

  return {
    note,
    async flush() {
      if (noted.size === 0) return;
      const written = [...noted];
      const meanwhile = new Map<string, Value>();
      noted = meanwhile;
      try {
        await write(written);
      } catch (error) {
        noted = new Map(written);
        for (const [key, value] of meanwhile) note(key, value);
        throw error;
      }
    },
  };
}

/**
 * Flushes now and then until it is stopped, and then once more; one after the other. A failure is told, and tried again at
 * the next turn.
 */
export function flushRegularly(
  { flush }: Pick<Noted<never>, "flush">,
  everyMs: number,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let last = Promise.resolve();
  const turn = (): Promise<void> => (last = last.then(() => flush().catch(onError)));
  const timer = setInterval(() => void turn(), everyMs);
  return {
    stop() {
      clearInterval(timer);
      return turn();
    },
  };
}
