// Composes the services that a process keeps while it serves.
import type { Database } from "@plinth/db/connection";

import { createCredentialGate } from "./access/credential-gate.ts";
import { createLoad } from "./access/load.ts";
import { createPublicRows, type PublicLeases } from "./access/public-rows.ts";
import { createInsertArtifact } from "./artifacts/create-statement.ts";
import { createPageViews } from "./artifacts/page-views.ts";
import { createRecents } from "./artifacts/recents.ts";
import { openBilling } from "./billing/billing.ts";
import type { Config } from "./config.ts";
import type { Instance } from "./context.ts";
import { openCounters, type Counters } from "./counters.ts";
import { createIssuerKeys } from "./fetching/issuer-keys.ts";
import { createMcpUses } from "./credentials/mcp-uses.ts";
import { createUsage } from "./credentials/usage.ts";
import type { DatabaseTrouble } from "./database-trouble.ts";
import { createKeptDiffs } from "./diff/kept-diffs.ts";
import { createOAuthServer } from "./identity/oauth/server.ts";
import type { JobQueue } from "./queue/queue.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { createShareUses } from "./sharing/uses.ts";
import { createContentCache } from "./storage/cache.ts";
import { createWatching } from "./events/watching.ts";

interface Parts {
  readonly config: Config;
  readonly db: Database;
  readonly queue: JobQueue;
  /** Of this process alone unless given. */
  readonly counters?: Counters;
  readonly wakeRelay?: () => void;
  /** What the process may answer from memory; nothing unless given. */
  readonly leases?: PublicLeases | null;
  /** Tells other processes that something about an artifact has changed. */
  readonly publishChange?: (artifactId: string) => void;
  /** Whether the database's disk has room for more, where that is known. */
  readonly hasRoom?: () => boolean;
  /** Why the database can't be written to, where that is checked. */
  readonly databaseTrouble?: () => DatabaseTrouble | null;
  /** Called with errors outside of requests. */
  readonly fault?: (error: unknown) => void;
}

const throwError = (error: unknown): void => {
  throw error;
};

const always = (): boolean => true;

const none = (): null => null;

const alone = (): void => undefined;

export function createInstance({
  config,
  db,
  queue,
  wakeRelay = alone,
  leases = null,
  publishChange = alone,
  hasRoom = always,
  databaseTrouble = none,
  fault = throwError,
  counters = openCounters(null, fault),
}: Parts): Instance {
  const cache = createContentCache();
  const limiter = createRateLimiter(config.rateLimits, counters);
  const publicRows = leases === null ? null : createPublicRows(leases.memory, cache);
  const watching = createWatching({
    db,
    cache,
    fault,
    ...(leases && { tell: (artifactIds) => leases.tell(artifactIds) }),
  });
  return {
    config,
    db,
    queue,
    wakeRelay,
    hasRoom,
    databaseTrouble,
    cache,
    load: createLoad(db, cache, publicRows),
    leases,
    publicRows,
    insertArtifact: createInsertArtifact(db),
    limiter,
    credentialGate: createCredentialGate(limiter),
    usage: createUsage(db),
    mcpUses: createMcpUses(db),
    shareUses: createShareUses(db),
    pageViews: createPageViews(db),
    recents: createRecents(db),
    billing: openBilling(config.billing),
    issuerKeys: createIssuerKeys(config.trustedIssuers),
    oauth: createOAuthServer({ config, db, counters }, fault),
    keptDiffs: createKeptDiffs(),
    startedAt: Date.now(),
    watching,
    publishChange(artifactId) {
      watching.wake(artifactId);
      publishChange(artifactId);
    },
  };
}
