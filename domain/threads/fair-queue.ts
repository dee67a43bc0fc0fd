// A queue for a fixed number of places that several owners share. Owners are served in turns, requests before
// background work. Knows nothing of what is done at a place.
import { createTally } from "../tally.ts";

/** What is asked for: on whose account, and whether a caller waits for it. */
export interface Work {
  /** The workspace whose content this is or, where there is none, the caller. */
  readonly owner: string;
  /** `hasten` turns background work into a request. */
  priority: "request" | "background";
}

export interface QueueBounds {
  /** Places of all owners together; one owner and all background work together get half of them, at least one. */
  readonly places: number;
  /** Entries that may wait, of one owner and in all. */
  readonly waiting: { readonly ofOneOwner: number; readonly inAll: number };
  /** How long an entry waits for a place, in ms. */
  readonly waitMs: Readonly<Record<Work["priority"], number>>;
}

/** Why there is no place: too many wait already, the wait took too long, or the queue was closed. */
export type Refusal = "full" | "late" | "closed";

export interface FairQueue {
  /** A place once it is the owner's turn: a function that gives it back. */
  take(work: Work): Promise<(() => void) | Refusal>;
  /** Turns waiting background work into a request, because a caller waits for it now. */
  hasten(work: Work): void;
  /** Entries that wait. */
  readonly waiting: number;
  /** Places that are taken. */
  readonly taken: number;
  /** Refuses the entries that wait. */
  close(): void;
}

interface Entry {
  readonly work: Work;
  readonly give: () => void;
  readonly refuse: (why: Refusal) => void;
}

/** After so many requests in a row, waiting background work gets the next place, so that it is never starved. */
const requestsInARow = 4;

/** What one owner can have of so many places. */
export const halfOf = (places: number): number => Math.max(1, Math.floor(places / 2));

export function createFairQueue({ places, waiting: bounds, waitMs }: QueueBounds): FairQueue {
  const half = halfOf(places);
  const taken = createTally();
  /** Waiting entries by owner; the owners in the order of their turns. */
  const queues = new Map<string, Entry[]>();
  let waiting = 0;
  let inBackground = 0;
  let requests = 0;

  /** The first entry of that priority whose owner has less than its share of the places. */
  function next(priority: Work["priority"]): Entry | undefined {
    if (priority === "background" && inBackground >= half) return undefined;
    for (const [owner, entries] of queues) {
      if (taken.taken(owner) >= half) continue;
      const entry = entries.find(({ work }) => work.priority === priority);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  function remove(entry: Entry): void {
    const { owner } = entry.work;
    const rest = (queues.get(owner) ?? []).filter((other) => other !== entry);
    waiting--;
    if (rest.length === 0) queues.delete(owner);
    else queues.set(owner, rest);
  }

  function dispatch(): void {
    while (taken.total < places) {
      const background = requests >= requestsInARow ? next("background") : undefined;
      const entry = background ?? next("request") ?? next("background");
      if (entry === undefined) return;
      remove(entry);
      const { owner } = entry.work;
      const others = queues.get(owner);
      // The owner's turn is over: its other entries come after those of all other owners.
      if (others !== undefined && queues.delete(owner)) queues.set(owner, others);
      taken.take(owner);
      entry.give();
    }
  }

  /** Refuses the newest entry of the owner with the most entries, unless a newcomer with so many would then have as many. */
  function makeRoom(than: number): boolean {
    const longest = [...queues.values()].reduce((most, own) => (own.length > most.length ? own : most), []);
    if (longest.length <= than + 1) return false;
    longest.at(-1)?.refuse("full");
    return true;
  }

  /** Counts the place that an entry was given; what it returns gives the place back, once. */
  function occupy({ owner, priority }: Work): () => void {
    const isBackground = priority === "background";
    if (isBackground) inBackground++;
    requests = isBackground ? 0 : requests + 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      if (isBackground) inBackground--;
      taken.leave(owner);
      dispatch();
    };
  }

  return {
    take(work) {
      const own = queues.get(work.owner) ?? [];
      if (own.length >= bounds.ofOneOwner) return Promise.resolve("full");
      if (waiting >= bounds.inAll && !makeRoom(own.length)) return Promise.resolve("full");
      const { promise, resolve } = Promise.withResolvers<(() => void) | Refusal>();
      const entry: Entry = {
        work,
        give() {
          clearTimeout(timer);
          resolve(occupy(work));
        },
        refuse(why) {
          clearTimeout(timer);
          remove(entry);
          resolve(why);
        },
      };
      const timer = setTimeout(() => entry.refuse("late"), waitMs[work.priority]);
      queues.set(work.owner, [...own, entry]);
      waiting++;
      dispatch();
      return promise;
    },
    hasten(work) {
      work.priority = "request";
      dispatch();
    },
    get waiting() {
      return waiting;
    },
    get taken() {
      return taken.total;
    },
    close() {
      for (const entries of [...queues.values()]) for (const entry of entries) entry.refuse("closed");
    },
  };
}
