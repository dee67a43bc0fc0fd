// What an operation is given beside its input: the instance it runs on and the call it answers.
import type { Surface } from "@plinth/contract/audit-kinds";
import type { Operation } from "@plinth/contract/operation";
import type { Database } from "@plinth/db/connection";

import type { PlanHeld } from "./access/batch.ts";
import type { CredentialGate } from "./access/credential-gate.ts";
import type { Load } from "./access/load.ts";
import type { LinkGrant, Principal } from "./access/principal.ts";
import type { InsertArtifact } from "./artifacts/create-statement.ts";
import type { Billing } from "./billing/billing.ts";
import type { Config } from "./config.ts";
import type { ContentCache } from "./content/cache.ts";
import type { Rendering } from "./content/source.ts";
import type { McpUses } from "./credentials/mcp-uses.ts";
import type { Usage } from "./credentials/usage.ts";
import type { DatabaseTrouble } from "./database-trouble.ts";
import type { OAuthServer } from "./identity/oauth/server.ts";
import type { JobQueue } from "./jobs/queue.ts";
import type { Allowance, RateLimiter } from "./rate-limit.ts";
import type { ShareUses } from "./share-links/uses.ts";
import type { Watching } from "./watching/watching.ts";

/** What a process keeps for as long as it serves. */
export interface Instance {
  readonly config: Config;
  readonly db: Database;
  readonly load: Load;
  readonly insertArtifact: InsertArtifact;
  readonly cache: ContentCache;
  readonly limiter: RateLimiter;
  /** Counts refused credentials. */
  readonly credentialGate: CredentialGate;
  readonly queue: JobQueue;
  /** What was called with, to be written down now and then. */
  readonly usage: Usage;
  /** Which program spoke MCP with which credential, likewise. */
  readonly mcpUses: McpUses;
  /** What was read by the right of which share link, likewise. */
  readonly shareUses: ShareUses;
  readonly oauth: OAuthServer;
  /** Null where this instance sells no plans. */
  readonly billing: Billing | null;
  readonly startedAt: number;
  /** Tells the relay that an outbox row was written, so that it need not wait for its next look. */
  readonly nudge: () => void;
  /** Whether the database's disk has room for more. */
  readonly hasRoom: () => boolean;
  /** What kept the database from being written to at the last try; null where nothing did. */
  readonly databaseTrouble: () => DatabaseTrouble | null;
  /** The event streams of this process. */
  readonly watching: Watching;
  /** Tells whoever watches the artifact, here and in other processes, that something about it has changed. */
  readonly announce: (artifactId: string) => void;
}

/** What was presented: of a bearer credential never the token itself. */
export type Credential =
  | { readonly kind: "none" }
  /** Malformed, or with a bad checksum. */
  | { readonly kind: "bad" }
  | { readonly kind: "operator"; readonly hash: string }
  /** An API key, an agent's token or a login token; SHA-256, hex. */
  | { readonly kind: "key"; readonly hash: string }
  /** An OAuth access token, hashed as it is stored. */
  | { readonly kind: "oauth"; readonly hash: string }
  /** The token of a browser session, out of a cookie with a good signature. */
  | { readonly kind: "session"; readonly token: string }
  /** One that was presented before, by its identifier out of a ticket of ours; of whatever kind has identifiers. */
  | { readonly kind: "known"; readonly credentialId: string };

/** Share links that came with a request. */
export interface Share {
  /** Of the token in `x-share-token`, SHA-256, hex. */
  readonly hash?: string;
  /** Identifiers out of a grant cookie or a ticket with a good seal. */
  readonly granted?: readonly string[];
}

/** One request, by whatever surface it came. */
export interface Call {
  readonly credential: Credential;
  /** Beside any credential, or alone (docs/reference/contract.md §5). */
  readonly share?: Share;
  readonly surface: Surface;
  /** The program that says it is asking, where the surface has it named; claimed, not proven. */
  readonly client?: string;
  readonly requestId: string;
  /** Network address of the caller, as far as proxies are trusted. */
  readonly address: string;
  /** Tags of the pictures that the caller has already, which are not read again. */
  readonly held?: readonly string[];
  readonly idempotencyKey?: string;
  /**
   * Seconds for which the key is known, where not as long as the contract keeps one (docs/reference/contract.md §2).
   */
  readonly idempotencySeconds?: number;
  readonly dryRun?: boolean;
  /** The caller was identified and counted before the body was read. */
  readonly isCounted?: true;
  /** Hears who asks once that is known, whatever is then decided. */
  readonly onCaller?: (caller: Principal) => void;
  /** Hears what is left of the caller's rate limit, refusals included. */
  readonly onAllowance?: (allowance: Allowance) => void;
}

export interface Context extends Instance {
  /** The transaction of this call where there is one. */
  readonly db: Database;
  /** Whose right it is that is used: the caller's own, or that of the share link they brought. */
  readonly principal: Principal;
  /** The good share links that the caller brought, whether or not they were needed. */
  readonly grants: readonly LinkGrant[];
  /** What the caller's personal workspace has; null where there is none. */
  readonly plan: PlanHeld | null;
  readonly call: Call;
  /** Jsx that was compiled before the transaction of this call began; settled. */
  readonly compiledAhead?: { readonly text: string; readonly made: Promise<Rendering> };
  /** What was decided about, and when, by the process's clock (`performance.now`). */
  readonly decided: { readonly op: Operation; readonly input: Record<string, unknown>; readonly at: number };
}
