// Bounds the bytes of the large bodies that the process reads at once, over all callers and for each of them. A caller
// whose share is full waits, and the callers behind it do not wait for it.
import { AppError } from "@plinth/contract/errors";

export interface BodyRoom {
  /**
   * Takes room for so many bytes, as soon as there is some; the result gives it back.
   * @throws unavailable where there is none in time
   */
  take(key: string, bytes: number): Promise<() => void>;
}

export interface RoomBounds {
  readonly bytes: number;
  /** What one caller may hold, unless a single body is larger. */
  readonly bytesOfOne: number;
  readonly waiting: { readonly ofOne: number; readonly inAll: number };
  readonly waitMs: number;
}

const usual: RoomBounds = {
  bytes: 64 * 1024 * 1024,
  bytesOfOne: 16 * 1024 * 1024,
  waiting: { ofOne: 50, inAll: 1000 },
  waitMs: 5000,
};
const retryAfterSeconds = 5;

interface Waiting {
  readonly key: string;
  readonly bytes: number;
  readonly enter: () => void;
}

export function createBodyRoom(bounds: RoomBounds = usual): BodyRoom {
  const heldBy = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let held = 0;

  /** A body larger than a bound goes in where it is the only one. */
  const isFull = (taken: number, bytes: number, most: number) => taken > 0 && taken + bytes > most;
  const hasShare = ({ key, bytes }: Waiting) => !isFull(heldBy.get(key) ?? 0, bytes, bounds.bytesOfOne);

  const waitingOf = (key: string) => [...waiting].filter((one) => one.key === key).length;

  function add(key: string, bytes: number): void {
    held += bytes;
    const left = (heldBy.get(key) ?? 0) + bytes;
    if (left === 0) heldBy.delete(key);
    else heldBy.set(key, left);
  }

  /** In the order of arrival among callers whose share has room, so that small bodies do not overtake a large one. */
  function admit(): void {
    for (const one of waiting) {
      if (!hasShare(one)) continue;
      if (isFull(held, one.bytes, bounds.bytes)) return;
      waiting.delete(one);
      add(one.key, one.bytes);
      one.enter();
    }
  }

  return {
    take(key, bytes) {
      const entered = Promise.withResolvers<() => void>();
      let isBack = false;
      const leave = () => {
        if (isBack) return;
        isBack = true;
        add(key, -bytes);
        admit();
      };
      const one = { key, bytes, enter: () => entered.resolve(leave) };
      if (waiting.size >= bounds.waiting.inAll || waitingOf(key) >= bounds.waiting.ofOne) throw noRoom();
      waiting.add(one);
      admit();
      if (!waiting.has(one)) return entered.promise;
      const timer = setTimeout(() => {
        if (waiting.delete(one)) entered.reject(noRoom());
        admit();
      }, bounds.waitMs);
      return entered.promise.finally(() => clearTimeout(timer));
    },
  };
}

const noRoom = (): AppError =>
  new AppError("unavailable", "Too many large requests are being read at once", {
    retryAfterSeconds,
    hint: "Send the same request again in a few seconds",
  });

/** The room of this process. */
export const bodyRoom: BodyRoom = createBodyRoom();
