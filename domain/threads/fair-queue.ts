// A queue for a fixed number of places that several owners share. Owners are served in turns. Background work has places
// beside those of requests, so that neither waits for the other. Work that takes long leaves its place to others, and what
// its owner asks for in the next minute is served beside the places. Knows nothing of what is done at a place.
import { createUsageCounter, type UsageCounter } from "@plinth/platform/usage-counter";

/** A task's account, and whether a caller waits for it. */
export interface Work {
  /** The workspace whose content this is or, where there is none, the caller. */
  readonly owner: string;
  /** The person or address behind the request, whichever workspace it is for. */
  readonly account: string;
  readonly priority: "request" | "background";
  /** Who else asks for the same; the work is done once, when the turn of any of them comes. `join` adds to it. */
  joined?: Work[];
}

export interface QueueBounds {
  /**
   * Places for requests of all owners together. Background work has half as many beside them. Of each, one owner and one
   * account get half, at least one.
   */
  readonly places: number;
  /** Long works beside the places, at most; one owner and one account have at most half of them, at least one. */
  readonly long: number;
  /** Entries that may wait, of one owner or account and in all. */
  readonly waiting: { readonly ofOne: number; readonly inAll: number };
  /** How long an entry waits for a place, in ms. */
  readonly waitMs: Readonly<Record<Work["priority"], number>>;
}

/** Why there is no place: too many wait already, the wait took too long, or the queue was closed. */
export type Refusal = "full" | "late" | "closed";

export interface Place {
  /** Whether the work is beside the places from the start, as its owner's works took long. */
  readonly isLong: boolean;
  /** Gives the place back. */
  leave(): void;
  /** The work takes long: its place goes to others, unless too many are long. It still counts for its owner. */
  makeWay(): void;
}

export interface FairQueue {
  /** A place once it is the turn of an owner who asks. */
  take(work: Work): Promise<Place | Refusal>;
  /** Adds one who asks for the same work, whether it waits already, is still to come, or has its place. */
  join(work: Work, other: Work): void;
  /** Entries that wait. */
  readonly waiting: number;
  /** Places that are taken, of requests and of background work. */
  readonly taken: number;
  /** Long works beside the places. */
  readonly long: number;
  /** Refuses the entries that wait. */
  close(): void;
}

interface Entry {
  readonly work: Work;
  /** Those of the work's that it waits for the turn of. */
  readonly listed: Work[];
  readonly give: (asker: Work) => void;
  readonly refuse: (why: Refusal) => void;
}

/** After a long work, how long its owner's next ones are taken for long ones. */
const longForMs = 60_000;
/** Owners of long works that are remembered; beyond, the one whose latest is the longest ago is forgotten. */
const mostLongOwners = 1000;

/** Who may ask for one work; more would not have it done sooner. */
const mostAskers = 32;

/** Works of one kind that are under way. One that has made way is counted for its owner and account alone. */
interface Lane {
  readonly most: number;
  inUse: number;
  readonly byOwner: UsageCounter;
  readonly byAccount: UsageCounter;
}

const createLane = (most: number): Lane => ({
  most,
  inUse: 0,
  byOwner: createUsageCounter(),
  byAccount: createUsageCounter(),
});

const isFull = ({ inUse, most }: Lane): boolean => inUse >= most;

/** Whether the owner and the account have less of it than their share. */
const hasShare = ({ most, byOwner, byAccount }: Lane, { owner, account }: Work): boolean =>
  byOwner.taken(owner) < halfOf(most) && byAccount.taken(account) < halfOf(most);

function countShare({ byOwner, byAccount }: Lane, { owner, account }: Work, change: "take" | "leave"): void {
  byOwner[change](owner);
  byAccount[change](account);
}

/** What one owner can have of so many places. */
export const halfOf = (places: number): number => Math.max(1, Math.floor(places / 2));

export function createFairQueue({ places, long: mostLong, waiting: bounds, waitMs }: QueueBounds): FairQueue {
  const lanes = { request: createLane(places), background: createLane(halfOf(places)), long: createLane(mostLong) };
  /** Waiting entries by owner, each with all who ask for it; the owners in the order of their turns. */
  const queues = new Map<string, Entry[]>();
  const waiting = new Set<Entry>();
  const waitingByAccount = createUsageCounter();
  /** Until when the works of an owner are taken for long ones, the earliest first. */
  const longUntil = new Map<string, number>();

  const lineOf = (owner: string): readonly Entry[] => queues.get(owner) ?? [];
  const hasRoom = ({ owner, account }: Work): boolean =>
    lineOf(owner).length < bounds.ofOne && waitingByAccount.taken(account) < bounds.ofOne;

  const takesLong = (owner: string): boolean => (longUntil.get(owner) ?? 0) > Date.now();

  function remember(owner: string): void {
    longUntil.delete(owner);
    longUntil.set(owner, Date.now() + longForMs);
    const [earliest] = longUntil.keys();
    if (longUntil.size > mostLongOwners && earliest !== undefined) longUntil.delete(earliest);
  }

  /** The first that has the priority and for which there is room, of an owner and an account with less than their share. */
  function next(priority: Work["priority"]): { entry: Entry; asker: Work } | undefined {
    for (const [owner, entries] of queues) {
      const isLong = takesLong(owner);
      if (isFull(lanes[isLong ? "long" : priority])) continue;
      const mayHave = (asker: Work) =>
        asker.owner === owner &&
        asker.priority === priority &&
        hasShare(lanes[priority], asker) &&
        (!isLong || hasShare(lanes.long, asker));
      for (const entry of entries) {
        const asker = entry.listed.find(mayHave);
        if (asker !== undefined) return { entry, asker };
      }
    }
    return undefined;
  }

  function list(entry: Entry, asker: Work): void {
    entry.listed.push(asker);
    waitingByAccount.take(asker.account);
    const line = lineOf(asker.owner);
    if (!line.includes(entry)) queues.set(asker.owner, [...line, entry]);
  }

  function remove(entry: Entry): void {
    waiting.delete(entry);
    for (const { owner, account } of entry.listed) {
      waitingByAccount.leave(account);
      const rest = lineOf(owner).filter((other) => other !== entry);
      if (rest.length === 0) queues.delete(owner);
      else queues.set(owner, rest);
    }
  }

  function dispatch(): void {
    for (;;) {
      const chosen = next("request") ?? next("background");
      if (chosen === undefined) return;
      const { entry, asker } = chosen;
      remove(entry);
      const others = queues.get(asker.owner);
      // The owner's turn is over: its other entries come after those of all other owners.
      if (others !== undefined && queues.delete(asker.owner)) queues.set(asker.owner, others);
      entry.give(asker);
    }
  }

  /** Refuses the newest entry of the owner with the most entries, unless a newcomer with so many would then have as many. */
  function makeRoom(than: number): boolean {
    const longest = [...queues.values()].reduce((most, own) => (own.length > most.length ? own : most), []);
    if (longest.length <= than + 1) return false;
    longest.at(-1)?.refuse("full");
    return true;
  }

  /** Counts the place that an entry was given. */
  function occupy(work: Work): Place {
    const own = lanes[work.priority];
    const isLong = takesLong(work.owner);
    let state: "in place" | "beside" | "left" = isLong ? "beside" : "in place";
    countShare(own, work, "take");
    if (isLong) goBeside();
    else own.inUse++;

    function goBeside(): void {
      lanes.long.inUse++;
      countShare(lanes.long, work, "take");
    }

    return {
      isLong,
      leave() {
        if (state === "left") return;
        if (state === "beside") {
          lanes.long.inUse--;
          countShare(lanes.long, work, "leave");
        } else own.inUse--;
        state = "left";
        countShare(own, work, "leave");
        dispatch();
      },
      makeWay() {
        remember(work.owner);
        if (state !== "in place" || isFull(lanes.long) || !hasShare(lanes.long, work)) return;
        state = "beside";
        own.inUse--;
        goBeside();
        dispatch();
      },
    };
  }

  return {
    take(work) {
      const askers = [work, ...(work.joined ?? [])].filter(hasRoom);
      if (askers.length === 0) return Promise.resolve("full");
      const fewest = Math.min(...askers.map(({ owner }) => lineOf(owner).length));
      if (waiting.size >= bounds.inAll && !makeRoom(fewest)) return Promise.resolve("full");
      const { promise, resolve } = Promise.withResolvers<Place | Refusal>();
      const entry: Entry = {
        work,
        listed: [],
        give(asker) {
          clearTimeout(timer);
          resolve(occupy(asker));
        },
        refuse(why) {
          clearTimeout(timer);
          remove(entry);
          resolve(why);
        },
      };
      const timer = setTimeout(() => entry.refuse("late"), waitMs[work.priority]);
      waiting.add(entry);
      for (const asker of askers) list(entry, asker);
      dispatch();
      return promise;
    },
    join(work, other) {
      const askers = [work, ...(work.joined ?? [])];
      if (askers.length >= mostAskers || askers.some((one) => asksAlike(one, other))) return;
      (work.joined ??= []).push(other);
      const entry = [...waiting].find((one) => one.work === work);
      if (entry === undefined || !(lineOf(other.owner).includes(entry) || hasRoom(other))) return;
      list(entry, other);
      dispatch();
    },
    get waiting() {
      return waiting.size;
    },
    get taken() {
      return lanes.request.inUse + lanes.background.inUse;
    },
    get long() {
      return lanes.long.inUse;
    },
    close() {
      for (const entry of [...waiting]) entry.refuse("closed");
    },
  };
}

/** Whether the work comes no sooner with the other: that it is a request or both wait in the background. */
const asksAlike = (one: Work, other: Work): boolean =>
  one.owner === other.owner &&
  one.account === other.account &&
  (one.priority === "request" || one.priority === other.priority);
