// Where what a tool did was done: the address that its sentence begins with.
import type { ArtifactRow } from "@plinth/domain/access/resource";
import { artifactUrl } from "@plinth/domain/artifacts/present";
import type { Answer } from "@plinth/domain/invoke";

import type { Exchange } from "./exchange.ts";

export interface Place {
  /** Of the artifact that the tool names; the instance's own where it names none. */
  readonly url: string;
  readonly artifact: ArtifactRow | null;
}

export function placeOf({ instance }: Exchange, { resource }: Pick<Answer, "resource">): Place {
  const artifact = artifactOf(resource);
  return { url: artifact === null ? instance.config.publicUrl : artifactUrl(instance, artifact), artifact };
}

/** Null where the operation is on something else, or on a text alone. */
function artifactOf(resource: Answer["resource"]): ArtifactRow | null {
  if (resource === null) return null;
  const row = "artifact" in resource ? resource.artifact : resource;
  return "latestVersion" in row && "projectSlug" in row ? (row as ArtifactRow) : null;
}
