// Limits the number of open event streams. The limit that readers meet is for one artifact and one caller: an office
// behind one network address reads one document without limit in practice. The other limits protect the process.
import { AppError } from "@plinth/contract/errors";

import { createUsageCounter } from "@plinth/platform/usage-counter";

interface CallerBounds {
  /** Streams of one artifact for one caller. */
  readonly ofArtifact: number;
  /** Streams of all artifacts for one caller: each artifact costs the database a question twice a second. */
  readonly ofCaller: number;
}

export interface Bounds {
  /** An address may be an office with many readers. */
  readonly address: CallerBounds;
  /** A person, with all keys, agents and sessions together. */
  readonly person: CallerBounds;
  readonly ofProcess: number;
}

export interface Watcher {
  readonly kind: keyof Omit<Bounds, "ofProcess">;
  readonly key: string;
}

const retryAfterSeconds = 10;

interface StreamQuota {
  /** Takes a place. @throws rate_limited, unavailable */
  take(artifactId: string, caller: Watcher): void;
  leave(artifactId: string, caller: Watcher): void;
  /** By all callers. */
  taken(): number;
}

export function createQuota(bounds: Bounds): StreamQuota {
  const [pairs, callers] = [createUsageCounter(), createUsageCounter()];
  const pair = (artifactId: string, { key }: Watcher) => `${artifactId} ${key}`;
  const full = (detail: string) =>
    new AppError("rate_limited", detail, { retryAfterSeconds, hint: "Close one that is not needed any more" });
  return {
    take(artifactId, caller) {
      const { ofArtifact, ofCaller } = bounds[caller.kind];
      if (pairs.taken(pair(artifactId, caller)) >= ofArtifact)
        throw full(`More than ${ofArtifact} event streams of this artifact at once`);
      if (callers.taken(caller.key) >= ofCaller) throw full(`More than ${ofCaller} event streams at once`);
      if (callers.total >= bounds.ofProcess) throw notNow("As many event streams are open as this process holds");
      pairs.take(pair(artifactId, caller));
      callers.take(caller.key);
    },
    leave(artifactId, caller) {
      pairs.leave(pair(artifactId, caller));
      callers.leave(caller.key);
    },
    taken: () => callers.total,
  };
}

/** @see StreamQuota.take */
export const notNow = (detail: string): AppError =>
  new AppError("unavailable", detail, { retryAfterSeconds, hint: `Try again in ${retryAfterSeconds} s` });
