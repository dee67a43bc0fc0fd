// A write-behind buffer: values are collected in memory while requests are answered, and written together afterwards.
// Values that are not yet written when the process dies are lost.

/** The most keys in memory. Further keys are dropped until the next flush, so that memory is bounded. */
const keysMax = 50_000;

export interface WriteBuffer<Value> {
  readonly record: (key: string, value: Value) => void;
  /** Writes the collected values, if there are any, and keeps them where that fails. */
  readonly flush: () => Promise<void>;
}

/** `merge` combines two values of the same key; `write` gets each key once. */
export function createWriteBuffer<Value>(
  merge: (known: Value, more: Value) => Value,
  write: (collected: readonly (readonly [key: string, value: Value])[]) => Promise<unknown>,
): WriteBuffer<Value> {
  let collected = new Map<string, Value>();

  function record(key: string, value: Value): void {
    const known = collected.get(key);
    if (known !== undefined) collected.set(key, merge(known, value));
    else if (collected.size < keysMax) collected.set(key, value);
  }

  return {
    record,
    async flush() {
      if (collected.size === 0) return;
      const written = [...collected];
      const later = new Map<string, Value>();
      collected = later;
      try {
        await write(written);
      } catch (error) {
        collected = new Map(written);
        for (const [key, value] of later) record(key, value);
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
  { flush }: Pick<WriteBuffer<never>, "flush">,
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
