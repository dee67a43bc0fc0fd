// A write-behind buffer: values are collected in memory while requests are answered, and written together afterwards.
// Values that are not yet written when the process dies are lost.

/** The most keys in memory. Further keys are dropped until the next flush, so that memory is bounded. */
const notedAtMost = 50_000;

export interface Noted<Value> {
  readonly note: (key: string, value: Value) => void;
  /** Writes the collected values, if there are any, and keeps them where that fails. */
  readonly flush: () => Promise<void>;
}

/** `merge` combines two values of the same key; `write` gets each key once. */
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
 * Flushes at an interval, one flush at a time, until it is stopped, and then a last time. A failure goes to `onError`,
 * and the next flush tries again.
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
