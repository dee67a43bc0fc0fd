// The rules of decide.ts as SQL, for lists: which artifacts a principal may see. A test holds both together.
import { artifact } from "@plinth/db/schema/artifacts";
import { and, inArray, isNull, or, sql, type SQL } from "drizzle-orm";

import { ownWorkspaces, type Principal } from "./principal.ts";

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
