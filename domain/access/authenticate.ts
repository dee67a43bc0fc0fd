// From the presented credential and what was loaded for it to the principal (contract 5).
import { AppError } from "@plinth/contract/errors";
import type { Operation } from "@plinth/contract/operation";

import type { Config } from "../config.ts";
import type { Call, Credential } from "../context.ts";
import { tokenHash } from "../credentials/token.ts";
import type { Loaded } from "./load.ts";
import { holdsScope, type Principal } from "./principal.ts";
import { notFound, unauthenticated } from "./refusals.ts";

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
  } else if (credential.kind !== "key") {
    throw unauthenticated("The credential is not valid");
  }
}

/** Who is asking. Expects `requireCredential` to have passed. @throws unauthenticated, token_expired */
export function authenticate({ credential, address }: Call, loaded: Loaded): Principal {
  if (credential.kind === "operator") return { type: "operator" };
  if (credential.kind === "none") return { type: "anonymous", address };
  if (loaded.standing === "expired") {
    throw new AppError("token_expired", "The token has expired", { hint: "Make a new one and use that" });
  }
  if (loaded.person === null || loaded.standing !== "good") throw unauthenticated("The credential is not valid");
  return loaded.person;
}

/** Judged from the credential alone, before anything is said about the resource. @throws insufficient_scope */
export function requireScope(op: Operation, principal: Principal): void {
  if (op.scope === null) return;
  const missing = [op.scope, ...(op.alsoScopes ?? [])].find((scope) => !holdsScope(principal, scope));
  if (missing === undefined) return;
  throw new AppError("insufficient_scope", `The credential lacks the scope ${missing}`, {
    requiredScope: missing,
    hint: `Make a key that has ${missing}`,
  });
}

/** Compared by hash, so in a time that says nothing of the token. */
const isOperator = (config: Config, hash: string): boolean => hash === tokenHash(config.operatorToken);
