// Decides whether a publish whose slug is taken may become the next version of the existing artifact. Every surface
// that offers this calls it: a text that was meant to be private must not become public, nor one type another.
import type { Artifact, ArtifactType } from "./schemas/artifact.ts";

interface Wanted {
  readonly type: ArtifactType;
  readonly access: { readonly publicView: boolean };
}

/** The reason against it; null where there is none. */
export function reuseBar(wanted: Wanted, found: Pick<Artifact, "type" | "access">): "type" | "public" | null {
  if (found.type !== wanted.type) return "type";
  return !wanted.access.publicView && found.access.publicView ? "public" : null;
}
