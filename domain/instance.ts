// Puts together what a process keeps while it serves.
import type { Database } from "@plinth/db/connection";

import { createLoad } from "./access/load.ts";
import { createInsertArtifact } from "./artifacts/create-statement.ts";
import type { Config } from "./config.ts";
import { createContentCache } from "./content/cache.ts";
import type { Instance } from "./context.ts";
import type { JobQueue } from "./jobs/queue.ts";
import { createRateLimiter } from "./rate-limit.ts";

interface Parts {
  readonly config: Config;
  readonly db: Database;
  readonly queue: JobQueue;
  readonly nudge?: () => void;
}

export function createInstance({ config, db, queue, nudge = () => undefined }: Parts): Instance {
  const cache = createContentCache();
  return {
    config,
    db,
    queue,
    nudge,
    cache,
    load: createLoad(db, cache),
    insertArtifact: createInsertArtifact(db),
    limiter: createRateLimiter(config.rateLimits),
    startedAt: Date.now(),
  };
}
