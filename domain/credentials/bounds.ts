// What a credential may be made with (docs/reference/contract.md §5): at most the scopes, the workspace and the expiry
// of the one that makes it. A session has no bounds but the workspaces of its user.
import type { Scope } from "@plinth/contract/scopes";

import { holdsScope, requirePerson, roleIn, type Person } from "../access/principal.ts";
import { insufficientScope, notFound } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import { expiryOf } from "./expiry.ts";
import { lockMinter, type Wanted } from "./mint.ts";

interface Asked {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly workspaceId?: string;
  readonly expiresAt?: string | null;
}

/**
 * What the caller asks to be made, within the bounds of what they ask with. Left out, the workspace is that one's and
 * the expiry no later than its own. Expects a transaction, until whose end it is kept from ending.
 * @throws insufficient_scope, not_found, unauthenticated, invalid_request
 */
export async function boundedWish(inside: Context, asked: Asked): Promise<Omit<Wanted, "kind">> {
  const person = requirePerson(inside.principal);
  const minter = await lockMinter(inside, person);
  requireScopes(person, asked.scopes);
  return {
    name: asked.name,
    scopes: asked.scopes,
    workspaceId: workspaceFor(person, asked.workspaceId),
    expiresAt: expiryWithin(minter?.expiresAt ?? null, asked.expiresAt),
    userId: person.userId,
    minter,
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
  throw invalid([{ path: "expiresAt", message: `must not lie behind ${end}, when the credential that makes it ends` }]);
}

/** The earlier of two ends, where null is none. */
export function noLaterThan(limit: Date | null, end: Date | null): Date | null {
  if (limit === null || end === null) return limit ?? end;
  return limit < end ? limit : end;
}
