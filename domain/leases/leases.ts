// The lease of a process: when it may answer from memory, and what a write waits for until no process answers with what was
// before it. The argument is in docs/architecture/leases.md; the connection is in lease-connection.ts.
import { createMemory, type Memory } from "./memory.ts";
import { protocolVersion, times, type Clock, type Holder, type Link, type Message } from "./protocol.ts";

/** The most artifacts that one message names; with more it is about everything. */
const namedAtMost = 200;

export interface Leases<Row = unknown> {
  readonly memory: Memory<Row>;
  /**
   * Expects that the change is committed. Resolves when no process answers with what was before it; null is a change of
   * everything, `[]` of nothing. Never rejects.
   */
  tell(artifactIds: readonly string[] | null): Promise<void>;
}

/** What a connection does with the leases of its process. */
export interface LeaseHost {
  /** Registers the holder and renews its lease until the connection is lost. @throws where it is lost or was removed */
  hold(link: Link): Promise<void>;
  /** The connection is lost. */
  lost(link: Link): void;
  /** Another process has changed something. */
  changed(link: Link, writer: string, message: Message): void;
  /** A holder has followed a message. */
  confirmed(number: number, holder: string): void;
}

interface LeaseOptions {
  readonly clock: Clock;
  /** Whether the process answers from memory, or only writes. */
  readonly holds: boolean;
  /** The holders but for those with these identifiers, asked by another connection. */
  readonly holders: (except: readonly string[]) => Promise<readonly Holder[]>;
  readonly onError: (error: unknown) => void;
}

/** Changes that are sent as one message. */
interface Batch {
  artifactIds: Set<string> | "all";
  done: Promise<void>;
}

/** A message that some holders have not followed yet. */
interface Awaited {
  readonly confirmed: Set<string>;
  /** Called when a holder confirms, and when a connection is lost or opened. */
  wake: () => void;
}

const nothing = (): void => undefined;

export function createLeases<Row>({ clock, holds, holders, onError }: LeaseOptions): Leases<Row> & LeaseHost {
  /** Until when this process may answer from memory, on its clock. */
  let heldUntil = -Infinity;
  let current: Link | null = null;
  const memory = createMemory<Row>(clock, (now) => now < heldUntil);
  /** Holders that this process was. */
  const earlier = new Set<string>();
  const awaited = new Map<number, Awaited>();
  const retiring = new Set<string>();
  /** The longest lease of a holder that is known. */
  let waitsMs: number = times.waits;
  let lastNumber = 0;
  let next: Batch | null = null;
  let sending: Promise<unknown> = Promise.resolve();

  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  /** Resolves with the work, or after so many ms; leaves no timer. */
  async function within(ms: number, work: Promise<unknown>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(ms, late.resolve);
    await Promise.race([work, late.promise]);
    cancel();
  }

  /** The lease lasts from before the statement that registers or renews it. */
  function renewed(sentAt: number): void {
    heldUntil = sentAt + times.answers;
  }

  function lost(link: Link): void {
    earlier.add(link.id);
    if (current !== link) return;
    current = null;
    heldUntil = -Infinity;
    memory.forget(null);
    for (const { wake } of awaited.values()) wake();
  }

  async function hold(link: Link): Promise<void> {
    const sentAt = clock.now();
    const former = [...earlier];
    if (holds) await link.register(former);
    if (earlier.has(link.id)) return;
    for (const id of former) earlier.delete(id);
    current = link;
    if (holds) renewed(sentAt);
    for (const { wake } of awaited.values()) wake();
    // Holders that were killed are removed now, not by the first write.
    void announcing([]);
    while (holds && current === link) {
      await sleep(times.renews);
      if (current !== link) return;
      const askedAt = clock.now();
      if (!(await link.isRegistered())) throw new Error("another process has ended the lease of this one");
      if (current === link) renewed(askedAt);
    }
  }

  function changed(link: Link, writer: string, { number, artifactIds }: Message): void {
    memory.forget(artifactIds);
    void link.confirm(writer, number).catch(nothing);
  }

  async function tell(artifactIds: readonly string[] | null): Promise<void> {
    if (artifactIds?.length === 0) return;
    memory.forget(artifactIds);
    const changedAt = clock.now();
    let isDone = false;
    const work = announcing(artifactIds).then(() => (isDone = true));
    // The limit is of each write: waiting for the message before this one is part of it.
    for (let leftMs: number = times.waits; !isDone && leftMs > 0; leftMs = changedAt + waitsMs - clock.now())
      await within(leftMs, work);
  }

  /** Joins the next message, which is sent after the one before it. */
  function announcing(artifactIds: readonly string[] | null): Promise<void> {
    if (next === null) {
      const batch: Batch = { artifactIds: new Set(), done: Promise.resolve() };
      batch.done = sending.then(() => {
        next = null;
        return announce(batch.artifactIds === "all" ? null : [...batch.artifactIds]);
      });
      next = batch;
    }
    if (artifactIds === null) next.artifactIds = "all";
    else if (next.artifactIds !== "all") for (const one of artifactIds) next.artifactIds.add(one);
    if (next.artifactIds !== "all" && next.artifactIds.size > namedAtMost) next.artifactIds = "all";
    return next.done;
  }

  /** Resolves when every other holder has followed the message, or its lease has ended. */
  async function announce(artifactIds: readonly string[] | null): Promise<void> {
    const number = ++lastNumber;
    const begunAt = clock.now();
    const mine: Awaited = { confirmed: new Set(), wake: nothing };
    awaited.set(number, mine);
    try {
      while (clock.now() < begunAt + waitsMs) {
        const link = current;
        if (link === null ? await isAlone() : await send(link, { number, artifactIds }, mine)) return;
        // Nothing happens between the state that was looked at and this wait.
        if (current === link) await woken(mine, begunAt + waitsMs - clock.now());
      }
    } finally {
      awaited.delete(number);
    }
  }

  /** Sends the message and waits for its confirmations; false where the connection was lost before. */
  async function send(link: Link, message: Message, mine: Awaited): Promise<boolean> {
    const sent = link.announce(message);
    sending = sent.catch(nothing);
    const found = await sent.catch(() => null);
    if (found === null) return false;
    waitsMs = Math.max(times.waits, ...found.map((holder) => holder.waitsMs));
    const isFollowed = () => found.every(({ id, protocol }) => protocol === protocolVersion && mine.confirmed.has(id));
    if (isFollowed()) return true;
    void retireSilent(link, found, mine);
    const until = clock.now() + waitsMs;
    while (!isFollowed() && current === link && clock.now() < until) await woken(mine, until - clock.now());
    return isFollowed();
  }

  /** Waits until something happened that concerns the message, so many ms at most. */
  async function woken(mine: Awaited, atMostMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    mine.wake = resolve;
    const cancel = clock.after(Math.max(0, atMostMs), resolve);
    await promise;
    cancel();
  }

  /** Whether no other process holds a lease, as another connection says while this process has lost its connection. */
  async function isAlone(): Promise<boolean> {
    try {
      return (await holders([...earlier])).length === 0;
    } catch {
      return false;
    }
  }

  /** Removes holders that do not confirm, after their leases have certainly ended. */
  async function retireSilent(link: Link, found: readonly Holder[], { confirmed }: Awaited): Promise<void> {
    await sleep(times.silent);
    const silent = found.filter(({ id, protocol }) => {
      return protocol === protocolVersion && !confirmed.has(id) && !retiring.has(id);
    });
    if (silent.length === 0 || current !== link) return;
    const ids = silent.map(({ id }) => id);
    for (const id of ids) retiring.add(id);
    try {
      await link.refuseRenewal(ids);
      await sleep(Math.max(...silent.map((holder) => holder.waitsMs)));
      await link.remove(ids);
    } catch (error) {
      // The next write that meets them removes them.
      if (current === link) onError(error);
    } finally {
      for (const id of ids) retiring.delete(id);
    }
  }

  function confirmed(number: number, holder: string): void {
    const mine = awaited.get(number);
    mine?.confirmed.add(holder);
    mine?.wake();
  }

  return { memory, tell, hold, lost, changed, confirmed };
}

/** The leases of a process that is alone on its database. */
export function createLoneLeases<Row>(clock: Clock): Leases<Row> {
  const memory = createMemory<Row>(clock, () => true);
  return {
    memory,
    tell(artifactIds) {
      memory.forget(artifactIds);
      return Promise.resolve();
    },
  };
}
