// Checks that object storage can be reached, for health: at most one small request per interval, however often health
// is asked.
import { createObjectCache } from "@plinth/platform/caches";
import type { ObjectStore } from "@plinth/db/object-store";
import { unbound } from "@plinth/db/waiting";

import { marker } from "./object-owner.ts";

/** Between two requests of a process. */
export const reachEveryMs = 10_000;

interface Reached {
  readonly at: number;
  readonly answer: Promise<unknown>;
}

const last = createObjectCache<ObjectStore, Reached>("storeReached");

/** Resolves where the store answered the last request, also where the object asked for is not there. @throws unavailable */
export async function reachStore(objects: ObjectStore, now = performance.now()): Promise<void> {
  let reached = last.get(objects);
  if (reached === undefined || now - reached.at >= reachEveryMs) {
    // The answer is for all who ask in this time, so it does not end with the request of the first.
    reached = { at: now, answer: unbound(() => objects.get(marker)) };
    reached.answer.catch(() => undefined);
    last.set(objects, reached);
  }
  await reached.answer;
}
