// The rules of decide.ts as SQL, for lists: which artifacts a principal may see. A test holds both together. And the
// rule of credentials, which only SQL says: which of them a principal may see and end.
import { credential } from "@plinth/db/schema/accounts";
import { artifact } from "@plinth/db/schema/artifacts";
import { and, eq, gt, inArray, isNull, or, sql, type SQL } from "drizzle-orm";

import { administeredWorkspaces, ownWorkspaces, type Person, type Principal } from "./principal.ts";

/** Artifacts that the principal may read. */
export function visibleArtifacts(principal: Principal): SQL {
  const own = inOwnWorkspaces(principal);
  return and(isNull(artifact.deletedAt), or(artifact.publicView, own)) ?? sql`false`;
}

/** Artifacts of the workspaces that the principal belongs to. */
export function inOwnWorkspaces(principal: Principal): SQL {
  const workspaces = ownWorkspaces(principal);
  return workspaces.length === 0 ? sql`false` : inArray(artifact.workspaceId, workspaces);
}

/** Credentials that have not been revoked, the expired among them. A rotated key's end lies ahead. */
export const notRevoked = (): SQL =>
  or(isNull(credential.revokedAt), gt(credential.revokedAt, sql`now()`)) ?? sql`false`;

/** The person's own credentials; to one that is held to a workspace, those alone that are held to it as well. */
export function ownCredentials({ userId, heldTo }: Person): SQL {
  const held = heldTo === null ? undefined : eq(credential.workspaceId, heldTo);
  return and(eq(credential.userId, userId), held) ?? sql`false`;
}

/** The person's own, and those held to the workspaces they administer. */
export function managedCredentials(person: Person): SQL {
  const administered = administeredWorkspaces(person);
  const held = administered.length === 0 ? undefined : inArray(credential.workspaceId, administered);
  return or(ownCredentials(person), held) ?? sql`false`;
}
