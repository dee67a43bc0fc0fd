// An artifact as callers see it (docs/reference/contract.md §3).
import type { ArtifactPermission } from "@plinth/contract/operation";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import type { Scope } from "@plinth/contract/scopes";

import { artifactPermissions, permissionsByLink } from "../access/decide.ts";
import { withoutLink, holdsScope } from "../access/principal.ts";
import type { ShownArtifact } from "../access/resource.ts";
import type { Context } from "../context.ts";

/** The address of an artifact, where people read it; of one version with its number. */
export function artifactUrl(
  { config }: Pick<Context, "config">,
  artifact: Pick<ShownArtifact, "ownerUsername" | "projectSlug" | "slug">,
  versionNumber?: number,
): string {
  const { ownerUsername, projectSlug, slug } = artifact;
  const url = `${config.publicUrl}/${ownerUsername}/${projectSlug}/${slug}`;
  return versionNumber === undefined ? url : `${url}?v=${versionNumber}`;
}

/**
 * What the caller may do: with their own rights, held to the scopes of the key that is asking, or with a share link,
 * which no scope limits.
 */
function permissionsIn({ principal, grants }: Context, artifact: ShownArtifact) {
  const caller = withoutLink(principal);
  const own = artifactPermissions(caller, artifact);
  const links = grants.filter(({ artifactId }) => artifactId === artifact.artifactId);
  return (permission: ArtifactPermission, scope: Scope): boolean =>
    (own.has(permission) && holdsScope(caller, scope)) ||
    links.some(({ role }) => permissionsByLink[role].includes(permission));
}

export function presentArtifact(context: Context, artifact: ShownArtifact): Artifact {
  const may = permissionsIn(context, artifact);
  const api = `${context.config.publicUrl}/api/artifacts/${artifact.artifactId}`;
  return {
    artifactId: artifact.artifactId,
    ownerUsername: artifact.ownerUsername,
    workspaceId: artifact.workspaceId,
    projectId: artifact.projectId,
    projectSlug: artifact.projectSlug,
    slug: artifact.slug,
    type: artifact.type,
    title: artifact.title,
    description: artifact.description,
    latestVersion: artifact.latestVersion,
    sourcePath: artifact.sourcePath,
    access: { publicView: artifact.publicView, publicEdit: artifact.publicEdit },
    url: artifactUrl(context, artifact),
    contentUrl: `${api}/content`,
    thumbnailUrl: `${api}/thumbnail`,
    createdAt: artifact.createdAt.toISOString(),
    updatedAt: artifact.updatedAt.toISOString(),
    createdBy: artifact.createdBy,
    latestBy: artifact.latestBy,
    latestAt: artifact.latestAt.toISOString(),
    permissions: {
      edit: may("update", "artifacts:update"),
      share: may("share", "artifacts:share"),
      manageAccess: may("manageAccess", "artifacts:access:write"),
      delete: may("delete", "artifacts:delete"),
    },
  };
}
