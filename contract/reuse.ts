// Whether a publish that finds its slug taken may go on as the next version of what is there. Every surface that offers
// that asks here: it must not make public what was to be private, nor one type of another.
import type { Artifact, ArtifactType } from "./schemas/artifact.ts";

interface Wanted {
  readonly type: ArtifactType;
  readonly access: { readonly publicView: boolean };
}

/** What stands against it; null where nothing does. */
export function reuseBar(wanted: Wanted, found: Pick<Artifact, "type" | "access">): "type" | "public" | null {
  if (found.type !== wanted.type) return "type";
  return !wanted.access.publicView && found.access.publicView ? "public" : null;
}
