// The event streams of a process. Each is asked about again before anything is said to it: when somebody says that its
// artifact changed, and in a sweep over all of them, which finds whatever else ends access. Nothing is remembered of an
// artifact but how far each stream has heard (docs/decisions/api.md, "Event identifiers are states" and "Streams are
// reauthorized").
import type { Database } from "@plinth/db/connection";

import { callerRequest } from "../access/load-request.ts";
import type { Call } from "../access/call.ts";
import { createLoad } from "../access/load.ts";
import { isPerson, principalKey, type Principal } from "../access/principal.ts";
import type { ArtifactRow } from "../access/resource.ts";
import type { Heard, Listener, News, Watching } from "../services.ts";
import type { ContentCache } from "../storage/cache.ts";
import { firstUntold, lastNews, newsSince } from "./news.ts";
import { createPlaces, notNow, type Bounds, type Watcher } from "./places.ts";
import { standingOf } from "./standing.ts";
import { heardBefore } from "./state.ts";
import { createVersionsFrom } from "./versions-after.ts";

/** Between the end of a sweep and the next one, in ms. */
const sweepEveryMs = 500;
/** Asked about together by a sweep, which leaves the database to requests in between. */
const sweptAtOnce = 100;
/** Between signs of life, in ms: below the idle time-outs of servers and proxies. */
const usualBeatMs = 15_000;

interface Attached {
  readonly listener: Listener;
  readonly caller: Watcher;
  heard: Heard;
  /** It took nothing since the last sign of life. */
  stuck: boolean;
}

/** One caller's streams of one artifact, which are asked about once for all. */
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
  readonly bounds?: Bounds;
  readonly beatEveryMs?: number;
}

/** Ten addresses would have to work together to fill a process. */
const usual: Bounds = {
  address: { ofArtifact: 256, ofCaller: 1024 },
  person: { ofArtifact: 32, ofCaller: 128 },
  ofProcess: 10_000,
};

export function createWatching({ db, cache, fault, bounds = usual, beatEveryMs = usualBeatMs }: Parts): Watching {
  // A loader of its own: requests do not queue behind a sweep.
  const load = createLoad(db, cache);
  const versionsFrom = createVersionsFrom(db);
  const places = createPlaces(bounds);
  const watches = new Map<string, Map<string, Watch>>();
  let sweeping: ReturnType<typeof setTimeout> | undefined;
  let beating: ReturnType<typeof setInterval> | undefined;
  let closed = false;
  let troubled = false;

  const all = (): Watch[] => [...watches.values()].flatMap((ofArtifact) => [...ofArtifact.values()]);

  /** One look at a time, and another one where something happened meanwhile. */
  async function look(watch: Watch): Promise<void> {
    watch.again = true;
    if (watch.looking) return;
    watch.looking = true;
    try {
      while (watch.again && watch.attached.size > 0) {
        watch.again = false;
        await tell(watch);
        troubled = false;
      }
    } catch (error) {
      // Whether they still may is not known, so nothing is said; the next sweep asks again.
      if (!troubled) fault(error);
      troubled = true;
    } finally {
      watch.looking = false;
    }
  }

  async function tell(watch: Watch): Promise<void> {
    const { artifactId, call } = watch;
    // Whoever comes meanwhile was decided about later than this, and is looked after by the next look.
    const present = [...watch.attached];
    let standing = await standingOf(load, call, artifactId);
    let versions: Awaited<ReturnType<typeof versionsFrom>> = [];
    if (typeof standing === "object") {
      const from = firstUntoldOf(present, standing);
      if (from <= standing.latestVersion) {
        versions = await versionsFrom({ artifactId, from });
        // Last of all it is decided, so that nothing lies between that and saying it.
        standing = await standingOf(load, call, artifactId);
      }
    }
    for (const one of present) {
      if (!watch.attached.has(one)) continue;
      if (typeof standing === "object") say(one, newsSince(one.heard, standing, versions));
      else {
        one.listener.hear(lastNews(artifactId, standing));
        detach(watch, one);
        one.listener.end();
      }
    }
  }

  /** As far as it has room: the rest is still in the database when it has. */
  function say(one: Attached, news: readonly News[]): void {
    for (const item of news) {
      if (!one.listener.hasRoom()) return;
      one.listener.hear(item);
      one.heard = item.heard ?? one.heard;
    }
  }

  function detach(watch: Watch, one: Attached): void {
    if (!watch.attached.delete(one)) return;
    places.leave(watch.artifactId, one.caller);
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

  function beat(): void {
    for (const watch of all()) {
      for (const one of watch.attached) {
        const hasRoom = one.listener.hasRoom();
        if (hasRoom) one.listener.beat();
        else if (one.stuck) {
          detach(watch, one);
          one.listener.end();
        }
        one.stuck = !hasRoom;
      }
    }
  }

  function begin(): void {
    sweeping ??= setTimeout(() => void sweep(), sweepEveryMs);
    beating ??= setInterval(beat, beatEveryMs);
  }

  /** A sweep that is under way ends by itself. */
  function rest(): void {
    clearInterval(beating);
    beating = undefined;
  }

  return {
    attach({ call, principal, artifact }, lastEventId, listener) {
      if (closed) throw notNow("The server is ending");
      const caller = watcherOf(principal.type === "share_link" ? principal.beside : principal);
      places.take(artifact.artifactId, caller);
      const watch = watchOf(watches, call, artifact.artifactId);
      const one: Attached = { listener, caller, heard: heardBefore(lastEventId, artifact), stuck: false };
      watch.attached.add(one);
      begin();
      // What happened between the load of this call and now was told to others alone.
      void look(watch);
      return { heard: one.heard, look: () => void look(watch), detach: () => detach(watch, one) };
    },
    wake(artifactId) {
      for (const watch of watches.get(artifactId)?.values() ?? []) void look(watch);
    },
    openStreams: () => places.taken(),
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

/** Whose places are taken: a person's, however many keys they come with. */
const watcherOf = (principal: Principal): Watcher =>
  isPerson(principal) ? { kind: "person", key: principal.userId } : { kind: "address", key: principalKey(principal) };

/** The lowest version that someone with room has not been told of. */
function firstUntoldOf(present: readonly Attached[], artifact: ArtifactRow): number {
  let first = Infinity;
  for (const { listener, heard } of present)
    if (listener.hasRoom()) first = Math.min(first, firstUntold(heard, artifact));
  return first;
}

/** What one caller watches of one artifact, theirs already or new. */
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
