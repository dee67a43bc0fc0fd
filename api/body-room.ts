// Limits the bytes of large bodies that the process holds at once, in total and for each caller. A caller whose share
// is full waits, without delaying the callers behind it.
import { AppError } from "@plinth/contract/errors";

/** The reservation of one body. */
export interface Place {
  /**
   * Reserves memory for bytes that have arrived, as soon as it is free. @throws unavailable where none is free in time
   */
  take(bytes: number): Promise<void>;
  /** The body has arrived completely. */
  readonly arrived: () => void;
  /** Releases the whole reservation: no part of the body is held any more. */
  readonly leave: () => void;
}

export interface BodyRoom {
  /** Bytes reserved now. */
  readonly heldBytes: number;
  /** Begins a body. `stop` is called with the error where the body arrives slowly and others wait for its memory. */
  enter(key: string, stop: (refusal: AppError) => void): Place;
}

interface RoomBounds {
  readonly bytes: number;
  /**
   * The most that one caller may hold. Where bodies that are still arriving reach a limit, the first of them may exceed
   * it.
   */
  readonly bytesOfOne: number;
  /** The bytes a second of one caller's bodies, beyond the limit for held bytes; unlimited by default. */
  readonly bytesASecondOfOne?: number;
  readonly waiting: { readonly ofOne: number; readonly inAll: number };
  readonly waitMs: number;
  /** A body that takes longer to arrive is slow. */
  readonly promptMs: number;
}

const usual: RoomBounds = {
  bytes: 64 * 1024 * 1024,
  bytesOfOne: 16 * 1024 * 1024,
  // Two of the longest plain texts, or one that takes three seconds where every byte is escaped.
  bytesASecondOfOne: 32 * 1024 * 1024,
  waiting: { ofOne: 50, inAll: 1000 },
  waitMs: 5000,
  promptMs: 10_000,
};
const retryAfterSeconds = 5;
/** Small bodies are not worth a timer. */
const shortestRestMs = 5;

interface Body {
  readonly key: string;
  bytes: number;
  isWaiting: boolean;
  isSlow: boolean;
  isStopped: boolean;
  readonly stop: (refusal: AppError) => void;
}

/** The usage of a limit: the process's, or one caller's. */
interface Share {
  readonly most: number;
  held: number;
  /** The part of `held` whose bodies have arrived completely. */
  ofArrived: number;
  /** In the order in which they began. */
  readonly arriving: Set<Body>;
  /** The body that exceeds the limit: only one does until it leaves. */
  over: Body | null;
}

interface Waiting {
  readonly body: Body;
  readonly bytes: number;
  readonly enter: () => void;
}

export function createBodyRoom(bounds: RoomBounds = usual): BodyRoom {
  const all = shareOf(bounds.bytes);
  const byKey = new Map<string, Share>();
  const waiting = new Set<Waiting>();

  const ownOf = (key: string): Share => {
    const own = byKey.get(key) ?? shareOf(bounds.bytesOfOne);
    byKey.set(key, own);
    return own;
  };
  const waitingOf = (key: string) => [...waiting].filter(({ body }) => body.key === key).length;

  /**
   * In the order of arrival among callers whose share is not full, so that small bodies do not overtake a large one.
   */
  function admit(): void {
    /** The missing bytes of the first body that waits for each share. */
    const lacking = new Map<Share, number>();
    for (const one of waiting) {
      const { body, bytes } = one;
      const own = ownOf(body.key);
      const full = [own, all].find((share) => (lacking.has(share) || exceeds(share, bytes)) && !mayExceed(share, body));
      if (full !== undefined) {
        if (!lacking.has(full)) lacking.set(full, full.held + bytes - full.most);
        continue;
      }
      waiting.delete(one);
      for (const share of [all, own]) {
        share.held += bytes;
        if (share.held > share.most) share.over = body;
      }
      body.bytes += bytes;
      one.enter();
    }
    for (const [share, bytes] of lacking) stopSlow(share, bytes);
  }

  /** The largest bodies first, so that few are stopped. */
  function stopSlow(share: Share, lacking: number): void {
    const slow = [...share.arriving].filter(({ isSlow, isWaiting }) => isSlow && !isWaiting);
    let left = lacking;
    for (const body of slow.sort((a, b) => b.bytes - a.bytes)) {
      if (left <= 0) return;
      left -= body.bytes;
      if (body.isStopped) continue;
      body.isStopped = true;
      body.stop(noRoom());
    }
  }

  async function take(body: Body, bytes: number): Promise<void> {
    if (bytes === 0) return;
    if (waiting.size >= bounds.waiting.inAll || waitingOf(body.key) >= bounds.waiting.ofOne) throw noRoom();
    const entered = Promise.withResolvers<void>();
    const one = { body, bytes, enter: entered.resolve };
    waiting.add(one);
    admit();
    if (!waiting.has(one)) return;
    body.isWaiting = true;
    const timer = setTimeout(() => {
      if (waiting.delete(one)) entered.reject(noRoom());
      admit();
    }, bounds.waitMs);
    try {
      await entered.promise;
    } finally {
      body.isWaiting = false;
      clearTimeout(timer);
    }
  }

  return {
    get heldBytes() {
      return all.held;
    },

    enter(key, stop) {
      const body: Body = { key, bytes: 0, isWaiting: false, isSlow: false, isStopped: false, stop };
      const own = ownOf(key);
      for (const share of [all, own]) share.arriving.add(body);
      const timer = setTimeout(() => {
        body.isSlow = true;
        admit();
      }, bounds.promptMs);
      const arrived = () => {
        clearTimeout(timer);
        for (const share of [all, own]) if (share.arriving.delete(body)) share.ofArrived += body.bytes;
      };
      return {
        take: (bytes) => take(body, bytes),
        arrived() {
          arrived();
          admit();
        },
        leave() {
          arrived();
          const { bytes } = body;
          body.bytes = 0;
          const release = (share: Share) => {
            share.held -= bytes;
            share.ofArrived -= bytes;
            if (share.over === body) share.over = null;
          };
          const releaseOwn = () => {
            release(own);
            if (own.held === 0 && own.arriving.size === 0) byKey.delete(key);
            admit();
          };
          release(all);
          const restMs = (bytes / (bounds.bytesASecondOfOne ?? Infinity)) * 1000;
          if (restMs < shortestRestMs) return releaseOwn();
          setTimeout(releaseOwn, restMs).unref();
          admit();
        },
      };
    },
  };
}

const shareOf = (most: number): Share => ({ most, held: 0, ofArrived: 0, arriving: new Set(), over: null });

const exceeds = ({ held, most }: Share, bytes: number): boolean => held + bytes > most;

/** One body may exceed the limit; otherwise bodies that hold memory and wait for more would block each other. */
function mayExceed({ over, arriving, ofArrived }: Share, body: Body): boolean {
  const [first] = arriving;
  return over === null ? ofArrived === 0 && first === body : over === body;
}

const noRoom = (): AppError =>
  new AppError("unavailable", "Too many large requests are being read at once", {
    retryAfterSeconds,
    hint: "Send the same request again in a few seconds",
  });

/** The memory for large bodies in this process. */
export const bodyRoom: BodyRoom = createBodyRoom();
