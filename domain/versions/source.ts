// The source of a version, as the content route sends it.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { LoadedSource } from "../access/resource.ts";

export interface SourceDocument {
  readonly artifactId: string;
  readonly versionNumber: number;
  readonly slug: string;
  readonly type: ArtifactType;
  /** Hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** Anyone may have it, shared caches included. */
  readonly isPublic: boolean;
}

export function readSource({ artifact, version, bytes }: LoadedSource): SourceDocument {
  return {
    artifactId: artifact.artifactId,
    versionNumber: version.versionNumber,
    slug: artifact.slug,
    type: artifact.type,
    sha256: version.sha256,
    bytes: bytes ?? new Uint8Array(),
    isPublic: artifact.publicView,
  };
}
