// Loads of an artifact's page: counted, and recorded for the person who opens it.
import type { Output } from "@plinth/contract/registry";

import type { ArtifactRow, LoadedFiles, LoadedVersion } from "../access/resource.ts";
import type { OperationRequest } from "./operation-request.ts";
import type { Answer } from "./outcome.ts";

/** Counts a read that a page has sent and that was answered. */
export function recordView({ instance, call, sent: { input } }: OperationRequest, answer: Answer): void {
  if (call.isPageView !== true) return;
  const artifact = answer.operation.name === "artifact.ticket" ? viewedVersion(answer, input) : viewedArtifact(answer);
  if (artifact === null) return;
  instance.pageViews.record(answer.principal, artifact);
  instance.recents.record(answer.principal, artifact);
}

/** The artifact whose page shows the answer; null for a former address, whose page redirects and is counted at the present one. */
export function viewedArtifact({ operation, resource, value }: Answer): ArtifactRow | null {
  if (operation.name !== "artifact.getByPath" || (value as Output<"artifact.getByPath">).movedTo !== undefined)
    return null;
  return (resource as LoadedFiles).artifact;
}

/** The artifact that the page at its address shows in one version; the answer is only for a version that is there. */
function viewedVersion({ resource }: Answer, { artifactId: named }: Record<string, unknown>): ArtifactRow | null {
  const { artifact } = resource as LoadedVersion;
  return named === `${artifact.ownerUsername}/${artifact.projectSlug}/${artifact.slug}` ? artifact : null;
}
