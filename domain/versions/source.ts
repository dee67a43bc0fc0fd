// The source of a version, as the content route sends it.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { Input } from "@plinth/contract/registry";

import type { LoadedSource } from "../access/resource.ts";
import { isWhole, partOf, type ContentPart } from "./content-part.ts";

export interface SourceDocument {
  readonly artifactId: string;
  readonly versionNumber: number;
  readonly slug: string;
  readonly type: ArtifactType;
  /** Hex. */
  readonly sha256: string;
  /** Of the whole source. */
  readonly bytes: Uint8Array;
  /** The requested part of it; null for all. */
  readonly part: ContentPart | null;
  /** Anyone may have it, shared caches included. */
  readonly isPublic: boolean;
}

/** @throws invalid_request where the text has no such line or section */
export function readSource(
  wanted: Input<"version.content">,
  { artifact, version, ...loaded }: LoadedSource,
): SourceDocument {
  const bytes = loaded.bytes ?? new Uint8Array();
  return {
    artifactId: artifact.artifactId,
    versionNumber: version.versionNumber,
    slug: artifact.slug,
    type: artifact.type,
    sha256: version.sha256,
    bytes,
    part: isWhole(wanted) ? null : partOf({ bytes, sha256: version.sha256, type: artifact.type }, wanted),
    isPublic: artifact.publicView,
  };
}
