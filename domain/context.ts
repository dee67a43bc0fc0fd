// The context of an operation beside its input: the instance it runs on and the call it answers.
import type { Database } from "@plinth/db/connection";

import type { PlanHeld } from "./access/load-caller.ts";
import type { AccessContext } from "./access/call.ts";
import type { CredentialGate } from "./access/credential-gate.ts";
import type { Load, PublicRows } from "./access/load.ts";
import type { PublicLeases } from "./access/public-rows.ts";
import type { Config } from "./config.ts";
import type { IssuerKeys } from "./fetching/issuer-keys.ts";
import type { DatabaseTrouble } from "./database-trouble.ts";
import type { KeptDiffs } from "./diff/kept-diffs.ts";
import type { JobQueue } from "./queue/queue.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type {
  Billing,
  InsertArtifact,
  McpUses,
  OAuthServer,
  PageViews,
  Recents,
  ShareUses,
  Usage,
  Watching,
} from "./services.ts";
import type { ContentCache } from "./storage/cache.ts";

/** What a process keeps for as long as it serves. */
export interface Instance {
  readonly config: Config;
  readonly db: Database;
  readonly load: Load;
  /** The lease of this process, and how a write tells the others of a change; null where nothing is answered from memory. */
  readonly leases: PublicLeases | null;
  /** What this process may answer without asking the database; `load` uses it. */
  readonly publicRows: PublicRows | null;
  readonly insertArtifact: InsertArtifact;
  readonly cache: ContentCache;
  readonly limiter: RateLimiter;
  /** Counts refused credentials. */
  readonly credentialGate: CredentialGate;
  readonly queue: JobQueue;
  /** Records when credentials were last used; written at an interval. */
  readonly usage: Usage;
  /** Records which program used MCP with which credential; also written at an interval. */
  readonly mcpUses: McpUses;
  /** Counts the reads by each share link; also written at an interval. */
  readonly shareUses: ShareUses;
  /** Counts the loads of each artifact's page; also written at an interval. */
  readonly pageViews: PageViews;
  /** Notes the artifacts that each person opens; also written at an interval. */
  readonly recents: Recents;
  readonly oauth: OAuthServer;
  /** The keys of the issuers that agents trust. */
  readonly issuerKeys: IssuerKeys;
  /** Null where this instance sells no plans. */
  readonly billing: Billing | null;
  readonly startedAt: number;
  /** Wakes the relay after an outbox row was written. */
  readonly wakeRelay: () => void;
  /** Whether the database's disk has room for more. */
  readonly hasRoom: () => boolean;
  /** Why the last write to the database failed; null where it succeeded. */
  readonly databaseTrouble: () => DatabaseTrouble | null;
  /** Of versions that were compared. */
  readonly keptDiffs: KeptDiffs;
  /** The event streams of this process. */
  readonly watching: Watching;
  /** Wakes the event streams of the artifact, in this process and the others. */
  readonly publishChange: (artifactId: string) => void;
}

export interface Context extends Instance, AccessContext {
  /** The transaction of this call where there is one. */
  readonly db: Database;
  /** What the caller's personal workspace has; null where there is none. */
  readonly plan: PlanHeld | null;
}

/** Does the work in a transaction: `inside` is the context whose database is the transaction. */
export const transact = <Result>(
  context: Context,
  work: (inside: Context, db: Database) => Promise<Result>,
): Promise<Result> => context.db.transaction((db) => work({ ...context, db }, db));
