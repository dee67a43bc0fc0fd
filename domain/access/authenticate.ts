// From the credential of a request and the row loaded for it to the caller (docs/reference/contract.md §5).
import { AppError } from "@plinth/contract/errors";
import { isOnArtifact, scopesOf, type Operation } from "@plinth/contract/operation";
import type { Scope } from "@plinth/contract/scopes";

import type { Config } from "../config.ts";
import { tokenHash } from "../tokens/token.ts";
import type { Call, RequestCredentials, Share } from "./call.ts";
import { grantIn, type Loaded } from "./load.ts";
import { holdsScope, isPerson, type Caller, type Principal } from "./principal.ts";
import { insufficientScope, notFound, unauthenticated } from "./refusals.ts";

/** Whether a share link was presented to an operation on an artifact, where a good one stands for a credential. */
const mayBeLinked = (op: Operation, share: Share | undefined): boolean =>
  share !== undefined && isOnArtifact(op.resource);

/**
 * The refusal of a credential that needs no look-up. A bad credential is refused even where none is required. The
 * operator's routes do not exist for other callers, and the operator's token opens no other route.
 */
export function credentialRefusal(
  config: Config,
  op: Operation,
  { credential, share }: RequestCredentials,
): AppError | null {
  if (op.caller === "operator")
    return credential.kind === "operator" && isOperator(config, credential.hash) ? null : notFound();
  if (credential.kind === "bad" || credential.kind === "operator")
    return unauthenticated("The credential is not valid");
  if (credential.kind !== "none" || op.caller !== "authenticated" || mayBeLinked(op, share)) return null;
  return unauthenticated("This needs a credential");
}

/** Expects that `credentialRefusal` found nothing. @throws unauthenticated, token_expired */
export function authenticate(
  op: Operation,
  { credential, address }: Pick<Call, "credential" | "address">,
  loaded: Loaded,
): Caller {
  const caller = callerIn({ credential, address }, loaded);
  if (caller === null && loaded.standing === "expired")
    throw new AppError("token_expired", "The token has expired", { hint: "Make a new one and use that" });
  if (caller === null) throw unauthenticated("The credential is not valid");
  if (caller.type === "anonymous" && op.caller === "authenticated" && grantIn(loaded) === null)
    throw unauthenticated(
      credential.kind === "session" ? "The session has ended; sign in again" : "This needs a credential",
    );
  return caller;
}

/** The caller as the credential identifies it; null where the credential is not valid. */
export function callerIn(
  { credential, address }: Pick<Call, "credential" | "address">,
  { person, standing }: Loaded,
): Caller | null {
  if (credential.kind === "operator") return { type: "operator" };
  if (person !== null && standing === "good") return person;
  // A browser still sends the cookie of an ended session, which identifies no person.
  return credential.kind === "none" || credential.kind === "session" ? { type: "anonymous", address } : null;
}

/**
 * Judged from the credential alone, before anything is said about the resource.
 * @throws insufficient_scope, forbidden
 */
export function requireScope(op: Operation, principal: Principal): void {
  requireCredentialKind(op, principal);
  const missing = missingScope(op, principal);
  if (missing !== undefined) throw insufficientScope(missing);
}

/** What the operation takes and the credential lacks, if anything. */
export const missingScope = (op: Operation, principal: Principal): Scope | undefined =>
  scopesOf(op).find((scope) => !holdsScope(principal, scope));

/**
 * What only people do, not their programs: by session, or by a login token that may manage agents
 * (docs/reference/contract.md §5).
 */
function requireCredentialKind(op: Operation, principal: Principal): void {
  if (op.credential === undefined || !isPerson(principal) || principal.kind === "session") return;
  if (op.credential === "session" || principal.kind !== "login") {
    throw new AppError("forbidden", "This is done by people, not by a key or an agent", {
      hint: op.credential === "session" ? "Sign in on the web" : "Sign in on the web, or with: plinth login",
    });
  }
  if (!holdsScope(principal, "agents:manage")) throw insufficientScope("agents:manage");
}

/** Whether the caller is a person by session, or by a login token that may manage agents: what `credential: "login"` asks for. */
export const isPersonPresent = (principal: Principal): boolean =>
  isPerson(principal) &&
  (principal.kind === "session" || (principal.kind === "login" && holdsScope(principal, "agents:manage")));

/** Compared by hash, so in a time that says nothing of the token. */
const isOperator = (config: Config, hash: string): boolean => hash === tokenHash(config.operatorToken);
