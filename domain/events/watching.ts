// The event streams of a process. Access is decided again before each event: when the artifact changes, and in a sweep
// over all streams, which finds every other end of access. The process keeps only the cursor of each stream
// (docs/decisions/api.md, "Event identifiers are states" and "Streams are reauthorized").
import type { Database } from "@plinth/db/connection";

import { callerRequest } from "../access/load-request.ts";
import type { Call } from "../access/call.ts";
import { createLoad } from "../access/load.ts";
import { withoutLink, isPerson, principalKey, type Principal } from "../access/principal.ts";
import type { ArtifactRow } from "../access/resource.ts";
import type { Cursor, Listener, StreamEvent, Watching } from "../services.ts";
import type { ContentCache } from "../storage/cache.ts";
import { firstUnsent, lastEvent, eventsSince } from "./events.ts";
import { createQuota, notNow, type Bounds, type Watcher } from "./quota.ts";
import { accessStateOf, type AccessState } from "./access-state.ts";
import { cursorFrom } from "./cursor.ts";
import { createVersionsFrom } from "./versions-after.ts";

/** Between the end of a sweep and the next one, in ms. */
const sweepEveryMs = 500;
/** The watches that a sweep checks together; requests get the database in between. */
const sweptAtOnce = 100;
/** The heartbeat interval, in ms: below the idle timeouts of servers and proxies. */
const usualHeartbeatMs = 15_000;

interface Attached {
  readonly listener: Listener;
  readonly caller: Watcher;
  cursor: Cursor;
  /** It had no room at the last heartbeat. */
  backpressured: boolean;
}

/** One caller's streams of one artifact, which share one check of access. */
interface Watch {
  readonly key: string;
  readonly artifactId: string;
  readonly call: Call;
  readonly attached: Set<Attached>;
  looking: boolean;
  again: boolean;
}

interface Parts {
  readonly db: Database;
  readonly cache: ContentCache;
  readonly fault: (error: unknown) => void;
  /** Resolves when no process answers with what was before a change of the artifacts. */
  readonly tell?: (artifactIds: readonly string[]) => Promise<void>;
  readonly bounds?: Bounds;
  readonly heartbeatEveryMs?: number;
}

/** Filling a process takes about ten addresses. */
const usual: Bounds = {
  address: { ofArtifact: 256, ofCaller: 1024 },
  person: { ofArtifact: 32, ofCaller: 128 },
  ofProcess: 10_000,
};

export function createWatching({
  db,
  cache,
  fault,
  tell,
  bounds = usual,
  heartbeatEveryMs = usualHeartbeatMs,
}: Parts): Watching {
  // A separate loader, so that requests do not queue behind a sweep.
  const load = createLoad(db, cache);
  const versionsFrom = createVersionsFrom(db);
  const quota = createQuota(bounds);
  const watches = new Map<string, Map<string, Watch>>();
  let sweeping: ReturnType<typeof setTimeout> | undefined;
  let heartbeats: ReturnType<typeof setInterval> | undefined;
  let closed = false;
  let troubled = false;

  const all = (): Watch[] => [...watches.values()].flatMap((ofArtifact) => [...ofArtifact.values()]);

  /** Updates the streams of a watch, one update at a time, and again where a change arrives during an update. */
  async function look(watch: Watch): Promise<void> {
    watch.again = true;
    if (watch.looking) return;
    watch.looking = true;
    try {
      while (watch.again && watch.attached.size > 0) {
        watch.again = false;
        await update(watch);
        troubled = false;
      }
    } catch (error) {
      // Their access is unknown, so no event is sent; the next sweep checks again.
      if (!troubled) fault(error);
      troubled = true;
    } finally {
      watch.looking = false;
    }
  }

  async function update(watch: Watch): Promise<void> {
    const { artifactId, call } = watch;
    // A stream attached during this update had its access decided later; the next update serves it.
    const present = [...watch.attached];
    let access = await accessStateOf(load, call, artifactId);
    let versions: Awaited<ReturnType<typeof versionsFrom>> = [];
    if (typeof access === "object") {
      const from = firstUnsentOf(present, access);
      if (from <= access.latestVersion) {
        versions = await versionsFrom({ artifactId, from });
        // Access is decided last, so that nothing happens between the decision and the event.
        access = await accessStateOf(load, call, artifactId);
      }
    }
    // A reader who receives an event reads the change at once, from any process. The write that made it may still be telling them.
    if (tell !== undefined && present.some(({ cursor }) => isNews(cursor, access))) {
      await tell([artifactId]);
      if (!isSame(access, await accessStateOf(load, call, artifactId))) {
        watch.again = true;
        return;
      }
    }
    for (const one of present) {
      if (!watch.attached.has(one)) continue;
      if (typeof access === "object") send(one, eventsSince(one.cursor, access, versions));
      else {
        one.listener.onEvent(lastEvent(artifactId, access));
        detach(watch, one);
        one.listener.end();
      }
    }
  }

  /** Sends events while the listener has room; the rest is read from the database later. */
  function send(one: Attached, events: readonly StreamEvent[]): void {
    for (const item of events) {
      if (!one.listener.hasRoom()) return;
      one.listener.onEvent(item);
      one.cursor = item.cursor ?? one.cursor;
    }
  }

  function detach(watch: Watch, one: Attached): void {
    if (!watch.attached.delete(one)) return;
    quota.leave(watch.artifactId, one.caller);
    if (watch.attached.size > 0) return;
    const ofArtifact = watches.get(watch.artifactId);
    if (ofArtifact?.get(watch.key) === watch) ofArtifact.delete(watch.key);
    if (ofArtifact?.size === 0) watches.delete(watch.artifactId);
    if (watches.size === 0) rest();
  }

  async function sweep(): Promise<void> {
    const due = all();
    for (let at = 0; at < due.length; at += sweptAtOnce) await Promise.all(due.slice(at, at + sweptAtOnce).map(look));
    if (watches.size > 0) sweeping = setTimeout(() => void sweep(), sweepEveryMs);
    else sweeping = undefined;
  }

  function heartbeat(): void {
    for (const watch of all()) {
      for (const one of watch.attached) {
        const hasRoom = one.listener.hasRoom();
        if (hasRoom) one.listener.heartbeat();
        else if (one.backpressured) {
          detach(watch, one);
          one.listener.end();
        }
        one.backpressured = !hasRoom;
      }
    }
  }

  function begin(): void {
    sweeping ??= setTimeout(() => void sweep(), sweepEveryMs);
    heartbeats ??= setInterval(heartbeat, heartbeatEveryMs);
  }

  /** A sweep in progress ends by itself. */
  function rest(): void {
    clearInterval(heartbeats);
    heartbeats = undefined;
  }

  return {
    attach({ call, principal, artifact }, lastEventId, listener) {
      if (closed) throw notNow("The server is ending");
      const caller = watcherOf(withoutLink(principal));
      quota.take(artifact.artifactId, caller);
      const watch = watchOf(watches, call, artifact.artifactId);
      const one: Attached = { listener, caller, cursor: cursorFrom(lastEventId, artifact), backpressured: false };
      watch.attached.add(one);
      begin();
      // Changes since the load of this call were sent to the other streams only.
      void look(watch);
      return { cursor: one.cursor, look: () => void look(watch), detach: () => detach(watch, one) };
    },
    wake(artifactId) {
      for (const watch of watches.get(artifactId)?.values() ?? []) void look(watch);
    },
    openStreams: () => quota.taken(),
    close() {
      closed = true;
      clearTimeout(sweeping);
      for (const watch of all()) {
        for (const one of watch.attached) {
          detach(watch, one);
          one.listener.end();
        }
      }
    },
  };
}

/** The holder of the quota: a person with all keys, otherwise an address. */
const watcherOf = (principal: Principal): Watcher =>
  isPerson(principal) ? { kind: "person", key: principal.userId } : { kind: "address", key: principalKey(principal) };

/** Whether there is something to send. */
const isNews = (cursor: Cursor, access: AccessState): boolean =>
  typeof access !== "object" || cursor.version < access.latestVersion || cursor.access < access.accessRevision;

const isSame = (one: AccessState, other: AccessState): boolean =>
  typeof one === "object" && typeof other === "object" ? one.accessRevision === other.accessRevision : one === other;

/** The lowest version that a listener with room has not received. */
function firstUnsentOf(present: readonly Attached[], artifact: ArtifactRow): number {
  let first = Infinity;
  for (const { listener, cursor } of present)
    if (listener.hasRoom()) first = Math.min(first, firstUnsent(cursor, artifact));
  return first;
}

/** The caller's existing watch of the artifact, or a new one. */
function watchOf(watches: Map<string, Map<string, Watch>>, call: Call, artifactId: string): Watch {
  const ofArtifact = watches.getOrInsertComputed(artifactId, () => new Map<string, Watch>());
  const key = JSON.stringify([call.credential.kind, callerRequest(call)]);
  return ofArtifact.getOrInsertComputed(key, () => ({
    key,
    artifactId,
    call,
    attached: new Set<Attached>(),
    looking: false,
    again: false,
  }));
}
