// The bounds of a new credential (docs/reference/contract.md §5): at most the scopes, the workspace and the expiry of
// its parent. A session is bounded only by the workspaces of its user.
import type { Scope } from "@plinth/contract/scopes";

import { holdsScope, requirePerson, roleIn, type Person } from "../access/principal.ts";
import { insufficientScope, notFound } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import { expiryOf } from "./expiry.ts";
import { lockParent, type NewCredential } from "./mint.ts";

interface CredentialRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly workspaceId?: string;
  readonly expiresAt?: string | null;
}

/**
 * Resolves a request within the bounds of the caller's credential. By default the workspace is the caller's restriction,
 * and the expiry is at most the parent's. Expects a transaction, which locks the parent until its end.
 * @throws insufficient_scope, not_found, unauthenticated, invalid_request
 */
export async function resolveCredentialRequest(
  inside: Context,
  asked: CredentialRequest,
): Promise<Omit<NewCredential, "kind">> {
  const person = requirePerson(inside.principal);
  const parent = await lockParent(inside, person);
  requireScopes(person, asked.scopes);
  return {
    name: asked.name,
    scopes: asked.scopes,
    workspaceId: workspaceFor(person, asked.workspaceId),
    expiresAt: expiryWithin(parent?.expiresAt ?? null, asked.expiresAt),
    userId: person.userId,
    parent,
    personalWorkspaceId: person.personalWorkspaceId,
  };
}

/** @throws insufficient_scope */
export function requireScopes(person: Person, asked: readonly Scope[]): void {
  const missing = asked.find((scope) => !holdsScope(person, scope));
  if (missing !== undefined) throw insufficientScope(missing);
}

function workspaceFor(person: Person, asked: string | undefined): string | null {
  if (asked === undefined) return person.heldTo;
  if (roleIn(person, asked) === null) throw notFound();
  return asked;
}

function expiryWithin(limit: Date | null, asked: string | null | undefined): Date | null {
  const expiry = expiryOf(asked, new Date());
  if (asked === undefined) return noLaterThan(limit, expiry);
  if (limit === null || (expiry !== null && expiry <= limit)) return expiry;
  const end = limit.toISOString();
  throw invalid([
    { path: "expiresAt", message: `must not be later than ${end}, when the credential that creates it expires` },
  ]);
}

/** The earlier of two times, where null is no limit. */
export function noLaterThan(limit: Date | null, end: Date | null): Date | null {
  if (limit === null || end === null) return limit ?? end;
  return limit < end ? limit : end;
}
