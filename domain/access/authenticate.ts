// From the presented credential and what was loaded for it to the principal (contract 5).
import { AppError } from "@plinth/contract/errors";
import type { Operation } from "@plinth/contract/operation";

import type { Config } from "../config.ts";
import type { Call, Credential } from "../context.ts";
import { tokenHash } from "../credentials/token.ts";
import type { Loaded } from "./load.ts";
import type { LoadRequest } from "./load-statement.ts";
import { holdsScope, isPerson, type Principal } from "./principal.ts";
import { insufficientScope, notFound, unauthenticated } from "./refusals.ts";

/**
 * What can be said of a credential before anything is read or asked: a bad one is refused even where none is
 * needed; the operator's routes do not exist for anyone else, and its token opens nothing else.
 * @throws unauthenticated, not_found
 */
export function requireCredential(config: Config, op: Operation, credential: Credential): void {
  if (op.caller === "operator") {
    if (credential.kind !== "operator" || !isOperator(config, credential.hash)) throw notFound();
  } else if (credential.kind === "none") {
    if (op.caller === "authenticated") throw unauthenticated("This needs a credential");
  } else if (credential.kind === "bad" || credential.kind === "operator") {
    throw unauthenticated("The credential is not valid");
  }
}

/** The part of a load that says who is asking. */
export function callerRequest({ credential }: Call): Pick<LoadRequest, "hash" | "oauth" | "session"> {
  switch (credential.kind) {
    case "key":
      return { hash: credential.hash };
    case "oauth":
      return { oauth: credential.hash };
    case "session":
      return { session: credential.token };
    default:
      return {};
  }
}

/** Who is asking. Expects `requireCredential` to have passed. @throws unauthenticated, token_expired */
export function authenticate(op: Operation, { credential, address }: Call, loaded: Loaded): Principal {
  if (credential.kind === "operator") return { type: "operator" };
  // A browser goes on sending the cookie of a session that has ended: it is then nobody's.
  const isNobody = credential.kind === "session" && (loaded.person === null || loaded.standing !== "good");
  if (isNobody && op.caller === "authenticated") throw unauthenticated("The session has ended; sign in again");
  if (isNobody || credential.kind === "none") return { type: "anonymous", address };
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
  if (op.scope === null) return;
  const missing = [op.scope, ...(op.alsoScopes ?? [])].find((scope) => !holdsScope(principal, scope));
  if (missing !== undefined) throw insufficientScope(missing);
}

/** What only people do, not their programs: by session, or by a login token that may manage agents (contract 5). */
function requireOwnHand(op: Operation, principal: Principal): void {
  if (op.credential === undefined || !isPerson(principal) || principal.kind === "session") return;
  if (op.credential === "session" || principal.kind !== "login") {
    throw new AppError("forbidden", "This is done by people, not by a key or an agent", {
      hint: op.credential === "session" ? "Sign in on the web" : "Sign in on the web, or with: plinth login",
    });
  }
  if (!holdsScope(principal, "agents:manage")) throw insufficientScope("agents:manage");
}

/** Compared by hash, so in a time that says nothing of the token. */
const isOperator = (config: Config, hash: string): boolean => hash === tokenHash(config.operatorToken);
