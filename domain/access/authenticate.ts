// From the presented credential and what was loaded for it to the principal (docs/reference/contract.md §5).
import { AppError } from "@plinth/contract/errors";
import { isOnArtifact, scopesOf, type Operation } from "@plinth/contract/operation";
import type { Scope } from "@plinth/contract/scopes";

import type { Config } from "../config.ts";
import { tokenHash } from "../tokens/token.ts";
import type { Call, RequestCredentials, Share } from "./call.ts";
import { grantIn, type Loaded } from "./load.ts";
import { holdsScope, isPerson, type Anonymous, type Operator, type Person, type Principal } from "./principal.ts";
import { insufficientScope, notFound, unauthenticated } from "./refusals.ts";

/** Whether a share link was presented to an operation on an artifact, where a good one stands for a credential. */
const mayBeLinked = (op: Operation, share: Share | undefined): boolean =>
  share !== undefined && isOnArtifact(op.resource);

/**
 * What can be said of a credential before anything is read or asked: a bad one is refused even where none is
 * needed; the operator's routes do not exist for anyone else, and its token opens nothing else.
 * @throws unauthenticated, not_found
 */
export function requireCredential(config: Config, op: Operation, { credential, share }: RequestCredentials): void {
  if (op.caller === "operator") {
    if (credential.kind !== "operator" || !isOperator(config, credential.hash)) throw notFound();
  } else if (credential.kind === "none") {
    if (op.caller === "authenticated" && !mayBeLinked(op, share)) throw unauthenticated("This needs a credential");
  } else if (credential.kind === "bad" || credential.kind === "operator") {
    throw unauthenticated("The credential is not valid");
  }
}

/** Who is asking. Expects `requireCredential` to have passed. @throws unauthenticated, token_expired */
export function authenticate(
  op: Operation,
  { credential, address }: Pick<Call, "credential" | "address">,
  loaded: Loaded,
): Anonymous | Operator | Person {
  if (credential.kind === "operator") return { type: "operator" };
  // A browser goes on sending the cookie of a session that has ended: it is then nobody's.
  const hasEnded = credential.kind === "session" && (loaded.person === null || loaded.standing !== "good");
  if (hasEnded || credential.kind === "none") {
    if (op.caller === "authenticated" && grantIn(loaded) === null)
      throw unauthenticated(hasEnded ? "The session has ended; sign in again" : "This needs a credential");
    return { type: "anonymous", address };
  }
  if (loaded.standing === "expired") {
    throw new AppError("token_expired", "The token has expired", { hint: "Make a new one and use that" });
  }
  if (loaded.person === null || loaded.standing !== "good") throw unauthenticated("The credential is not valid");
  return loaded.person;
}

/**
 * Judged from the credential alone, before anything is said about the resource.
 * @throws insufficient_scope, forbidden
 */
export function requireScope(op: Operation, principal: Principal): void {
  requireOwnHand(op, principal);
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
function requireOwnHand(op: Operation, principal: Principal): void {
  if (op.credential === undefined || !isPerson(principal) || principal.kind === "session") return;
  if (op.credential === "session" || principal.kind !== "login") {
    throw new AppError("forbidden", "This is done by people, not by a key or an agent", {
      hint: op.credential === "session" ? "Sign in on the web" : "Sign in on the web, or with: plinth login",
    });
  }
  if (!holdsScope(principal, "agents:manage")) throw insufficientScope("agents:manage");
}

/** Whether the caller is a person by session, or by a login token that may manage agents: what `credential: "login"` asks for. */
export const isInPerson = (principal: Principal): boolean =>
  isPerson(principal) &&
  (principal.kind === "session" || (principal.kind === "login" && holdsScope(principal, "agents:manage")));

/** Compared by hash, so in a time that says nothing of the token. */
const isOperator = (config: Config, hash: string): boolean => hash === tokenHash(config.operatorToken);
