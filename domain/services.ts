// The services that a process keeps, as operations see them. Types alone: each is made in its feature's folder.
import type { Surface } from "@plinth/contract/audit-kinds";
import type { PaidPlanId } from "@plinth/contract/plans";
import type { OfferedPlan } from "@plinth/contract/schemas/billing";
import type { Database } from "@plinth/db/connection";
import type { RowOf } from "@plinth/db/rows";
import type Stripe from "stripe";

import type { Call } from "./access/call.ts";
import type { Principal } from "./access/principal.ts";
import type { ArtifactRow } from "./access/resource.ts";
import type { givenColumns } from "./access/row-columns.ts";
import type { BillingConfig } from "./config.ts";
import type { Fetched } from "./fetching/guarded-fetch.ts";
import type { KeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import type { Flushed } from "@plinth/platform/write-buffer";
import type { PreparedFiles } from "./storage/prepared-files.ts";
import type { PreparedSource } from "./storage/pack.ts";

export interface NewArtifactRow extends RowOf<typeof givenColumns> {
  readonly changelog: string | null;
}

/** The row, content and author of one publish. */
export interface NewArtifact {
  readonly row: NewArtifactRow;
  readonly source: PreparedSource;
  readonly files: PreparedFiles | null;
  readonly by: { readonly principal: Principal; readonly call: Call };
}

/** When it was created; null where nothing was written. */
export type InsertArtifact = (publish: NewArtifact) => Promise<Date | null>;

export interface Usage extends Flushed {
  /** Notes that the credential or the session was used now. */
  record(credentialId: string): void;
}

export interface McpUses extends Flushed {
  /** Notes that a program spoke now; `program` where the message names it. Claimed, not proven. */
  record(credentialId: string, program: string | undefined): void;
}

/** By what, and in which request. */
export interface Delivery {
  readonly surface: Surface;
  readonly requestId: string;
  readonly client?: string;
  /** The one that it was asked for by, whose document may load itself again: counted once. */
  readonly ticket?: string;
}

export interface ShareUses extends Flushed {
  /** Notes that content was delivered by this right; what is not a link's is not counted. */
  record(principal: Principal, delivery: Delivery): void;
}

export interface PageViews extends Flushed {
  /** Counts one load of the artifact's page; a member of its workspace is not counted. */
  record(principal: Principal, artifact: Pick<ArtifactRow, "artifactId" | "workspaceId">): void;
}

export interface Recents extends Flushed {
  /** Notes that a person in a browser opened the artifact's page now; no other caller is recorded. */
  record(principal: Principal, artifact: Pick<ArtifactRow, "artifactId">): void;
}

export interface OAuthLimits {
  /** Counts one. @throws rate_limited */
  registration(address: string): Promise<void>;
  /** @throws rate_limited for a user with too many wrong guesses */
  mayGuess(userId: string): Promise<void>;
  /** Counts one. */
  guessedWrong(userId: string): Promise<void>;
}

export interface Ask {
  /** The query of a GET. */
  readonly query?: URLSearchParams;
  readonly form?: URLSearchParams;
  readonly json?: unknown;
  /** Whose browser asks: the token of a session. */
  readonly session?: string | null;
  /** How the client authenticates. */
  readonly authorization?: string | null;
}

/** The endpoints of the authorization server's library that are used. */
export type OAuthEndpoint = "authorize" | "token" | "revoke" | "register" | "device" | "consent";

export interface OAuthServer {
  /** Resolves when the built-in rows exist: our own client and the resources. */
  ready(): Promise<void>;
  /** Calls one endpoint of the library. It gets only the given parts of the caller's request. */
  ask(endpoint: OAuthEndpoint, ask: Ask): Promise<Response>;
  /** Whether this instance signed the query of a page, recently. */
  isSigned(query: string): Promise<boolean>;
  /** The library's issuer identifier, as in its responses. */
  issuer(): Promise<string>;
  /** Fetches the metadata of a client that is named by its URL. @throws FetchError */
  readonly fetchDocument: (url: string) => Promise<Fetched>;
  readonly limits: OAuthLimits;
  /** Redeems codes and tokens, each by its hash: few at once, since each of them holds a connection of the pool. */
  readonly inTurn: KeyedSemaphore;
  /**
   * The same server over a transaction. Code that asks the pool for a second connection while its transaction holds one
   * could deadlock.
   */
  on(db: Database): OAuthServer;
}

export type Price = OfferedPlan["prices"][number] & { readonly id: string; readonly product: string };

export interface Offer {
  readonly prices: Readonly<Record<PaidPlanId, readonly Price[]>>;
  /** Wrong and missing settings, each a line that names the variable. */
  readonly problems: readonly string[];
  /** Whether a price is named that can't be sold. */
  readonly isWrong: boolean;
}

export interface Prices {
  /** @throws StripeError where Stripe was never reached */
  offer(): Promise<Offer>;
  /** The last offer that was read, without a request; null where Stripe was never reached. */
  known(): Offer | null;
}

export interface Billing {
  readonly config: BillingConfig;
  readonly stripe: Stripe;
  readonly prices: Prices;
}

/** How far a stream's reader is: the latest version and the latest change of access that it knows. */
export interface Cursor {
  readonly version: number;
  readonly access: number;
}

/** One event; `cursor` is where its reader continues. Without a cursor the stream ends. */
export interface StreamEvent {
  readonly event: "version" | "access" | "deleted";
  readonly data: object;
  readonly cursor?: Cursor;
}

/** The other end of a stream. */
export interface Listener {
  /** False under backpressure; the listener calls `Attachment.look` when it has room again. */
  hasRoom(): boolean;
  onEvent(event: StreamEvent): void;
  /** Keeps the connection alive and says nothing. */
  heartbeat(): void;
  end(): void;
}

export interface Attachment {
  readonly cursor: Cursor;
  /** Looks for events to send. */
  look(): void;
  detach(): void;
}

/** What attaching requires: the call that `invoke` admitted, the principal, and the row that it loaded. */
interface Admitted {
  readonly call: Call;
  readonly principal: Principal;
  readonly artifact: ArtifactRow;
}

export interface Watching {
  /** @throws rate_limited, unavailable */
  attach(admitted: Admitted, lastEventId: string | null, listener: Listener): Attachment;
  /** Makes the streams of an artifact look for events. */
  wake(artifactId: string): void;
  /** The number of open streams. */
  openStreams(): number;
  /** Ends every stream and accepts no more. */
  close(): void;
}
