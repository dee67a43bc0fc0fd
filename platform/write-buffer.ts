// A write-behind buffer: values are collected in memory while requests are answered, and written together afterwards.
// Values that are not yet written when the process dies are lost.

/** The most keys in memory. Further keys are dropped until the next flush, so that memory is bounded. */
const keysMax = 50_000;

export interface WriteBuffer<Value> {
  readonly record: (key: string, value: Value) => void;
  /** Writes the collected values, if there are any, and keeps them where that fails. */
  readonly flush: () => Promise<void>;
  /** Called with the first value that is recorded after a flush. */
  readonly onFirst: (listener: () => void) => void;
}

/** The part of a buffer that flushes it. */
export type Flushed = Pick<WriteBuffer<never>, "flush" | "onFirst">;

/** `merge` combines two values of the same key; `write` gets each key once. */
export function createWriteBuffer<Value>(
  merge: (known: Value, more: Value) => Value,
  write: (collected: readonly (readonly [key: string, value: Value])[]) => Promise<unknown>,
): WriteBuffer<Value> {
  let collected = new Map<string, Value>();
  let first = (): void => undefined;

  function record(key: string, value: Value): void {
    if (collected.size === 0) first();
    const known = collected.get(key);
    if (known !== undefined) collected.set(key, merge(known, value));
    else if (collected.size < keysMax) collected.set(key, value);
  }

  return {
    record,
    onFirst: (listener) => (first = listener),
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
 * Flushes so long after a first value, one flush at a time, until it is stopped, and then a last time. A failure goes to
 * `onError`, and is tried again. Without values it does nothing: a quiet process is not woken.
 */
export function flushRegularly(
  { flush, onFirst }: Flushed,
  everyMs: number,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let last = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const turn = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    return (last = last.then(flush).catch((error: unknown) => {
      onError(error);
      wait();
    }));
  };
  const wait = () => {
    if (!isStopped) timer ??= setTimeout(() => void turn(), everyMs);
  };
  onFirst(wait);
  return {
    stop() {
      isStopped = true;
      return turn();
    },
  };
}
