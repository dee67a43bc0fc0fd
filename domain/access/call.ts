// A call as access reads it: what was presented, and what was decided about it.
import type { Surface } from "@plinth/contract/audit-kinds";
import type { Operation } from "@plinth/contract/operation";
import type { Database } from "@plinth/db/connection";

import type { Allowance } from "../rate-limit.ts";
import type { Load } from "./load.ts";
import type { LinkGrant, Principal } from "./principal.ts";

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

/** The part of a call that identifies the caller, with the screenshots that it has. */
export type RequestCredentials = Pick<Call, "credential" | "share" | "held">;

/** What access reads of an operation's context. */
export interface AccessContext {
  /** The transaction of this call where there is one. */
  readonly db: Database;
  readonly load: Load;
  /** Whose right it is that is used: the caller's own, or that of the share link they brought. */
  readonly principal: Principal;
  /** The good share links that the caller brought, whether or not they were needed. */
  readonly grants: readonly LinkGrant[];
  readonly call: Call;
  /** What was decided about, and when, by the process's clock (`performance.now`). */
  readonly decided: { readonly op: Operation; readonly input: Record<string, unknown>; readonly at: number };
}
