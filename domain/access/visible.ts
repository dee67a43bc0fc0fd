// The rules of decide.ts as SQL, for lists: which artifacts a principal may see. A test holds both together. And the
// rule of credentials, which only SQL says: which of them a principal may see and end.
import { credential } from "@plinth/db/schema/accounts";
import { artifact } from "@plinth/db/schema/artifacts";
import { and, arrayContains, eq, gt, inArray, isNull, or, sql, type SQL } from "drizzle-orm";

import type { Context } from "../context.ts";
import { canonicalEmail } from "../email.ts";
import { administeredWorkspaces, isPerson, ownWorkspaces, type Person, type Principal } from "./principal.ts";

/** Artifacts that the caller may read, by themselves or by the share links they brought. */
export function visibleArtifacts({ principal, grants }: Pick<Context, "principal" | "grants">): SQL {
  const linked = grants.map(({ artifactId }) => artifactId);
  const rules = or(
    artifact.publicView,
    inOwnWorkspaces(principal),
    listing(principal),
    linked.length === 0 ? undefined : inArray(artifact.artifactId, linked),
  );
  return and(isNull(artifact.deletedAt), rules) ?? sql`false`;
}

/** Artifacts whose allowlist names the principal. */
function listing(principal: Principal): SQL | undefined {
  if (!isPerson(principal) || !principal.emailVerified) return undefined;
  // Written as the index on it is, which leaves out the artifacts without an allowlist.
  const named = and(
    sql`cardinality(${artifact.viewerEmails}) > 0`,
    arrayContains(artifact.viewerEmails, [canonicalEmail(principal.email)]),
  );
  return principal.heldTo === null ? named : and(named, eq(artifact.workspaceId, principal.heldTo));
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
