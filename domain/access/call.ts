// A call as access reads it: its credentials, and the decision about it.
import type { Surface } from "@plinth/contract/audit-kinds";
import type { Operation } from "@plinth/contract/operation";
import type { Database } from "@plinth/db/connection";

import type { Load } from "./load.ts";
import type { LinkGrant, Principal } from "./principal.ts";

/** The credential of a request. A bearer token is never kept, only its hash. */
export type Credential =
  | { readonly kind: "none" }
  /** Malformed, or with a bad checksum. */
  | { readonly kind: "bad" }
  | { readonly kind: "operator"; readonly hash: string }
  /** An API key, an agent's token or a login token; SHA-256, hex. */
  | { readonly kind: "key"; readonly hash: string }
  /** An OAuth access token, hashed as it is stored; with the resource it is presented at where that is the MCP endpoint. */
  | { readonly kind: "oauth"; readonly hash: string; readonly at?: "mcp" }
  /** The token of a browser session, out of a cookie with a good signature. */
  | { readonly kind: "session"; readonly token: string }
  /** A credential that was presented earlier, by its identifier in a ticket that we sealed. */
  | { readonly kind: "known"; readonly credentialId: string };

/** The share links of a request. */
export interface Share {
  /** SHA-256 of the token in `x-share-token`, hex. */
  readonly hash?: string;
  /** Identifiers in a grant cookie or a ticket with a valid seal. */
  readonly granted?: readonly string[];
}

/** One request, of any surface. */
export interface Call {
  readonly credential: Credential;
  /** Beside any credential, or alone (docs/reference/contract.md §5). */
  readonly share?: Share;
  readonly surface: Surface;
  /** The name that the calling program claims, where the surface has one. */
  readonly client?: string;
  readonly requestId: string;
  /** Network address of the caller, as far as proxies are trusted. */
  readonly address: string;
  /** The body of an operation that takes a file. */
  readonly file?: Uint8Array<ArrayBuffer>;
  /** Tags of the screenshots or files that the caller has, which are not read again. */
  readonly held?: readonly string[];
  readonly idempotencyKey?: string;
  /** Seconds for which the key counts; by default as the contract says (docs/reference/contract.md §2). */
  readonly idempotencySeconds?: number;
  readonly dryRun?: boolean;
  /** Set by an artifact's page that asks by its address for the artifact or for a version's ticket, to count the load as a view. */
  readonly isPageView?: true;
}

/** The part of a call that identifies the caller, with the screenshots that it has. */
export type RequestCredentials = Pick<Call, "credential" | "share" | "held">;

/** The part of an operation's context that access reads. */
export interface AccessContext {
  /** The transaction of this call where there is one. */
  readonly db: Database;
  readonly load: Load;
  /** The principal whose right is used: the caller, or the caller with a share link. */
  readonly principal: Principal;
  /** The valid share links of the request, needed or not. */
  readonly grants: readonly LinkGrant[];
  readonly call: Call;
  /** The operation and input of the decision, and its time (`performance.now`). */
  readonly decided: { readonly op: Operation; readonly input: Record<string, unknown>; readonly at: number };
}
