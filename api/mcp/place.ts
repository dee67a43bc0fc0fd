// The resource that a tool acted on: its summary begins with the URL.
import type { ArtifactRow } from "@plinth/domain/access/resource";
import { artifactUrl } from "@plinth/domain/artifacts/present";
import type { Answer } from "@plinth/domain/request/outcome";

import type { Exchange } from "./exchange.ts";

export interface Place {
  /** The artifact's URL; the instance's where the tool names no artifact. */
  readonly url: string;
  readonly artifact: ArtifactRow | null;
}

export function placeOf({ instance }: Exchange, { resource }: Pick<Answer, "resource">): Place {
  const artifact = artifactOf(resource);
  return { url: artifact === null ? instance.config.publicUrl : artifactUrl(instance, artifact), artifact };
}

/** Null where the operation is on another resource, or on a text alone. */
function artifactOf(resource: Answer["resource"]): ArtifactRow | null {
  if (resource === null) return null;
  const row = "artifact" in resource ? resource.artifact : resource;
  return "latestVersion" in row && "projectSlug" in row ? row : null;
}
