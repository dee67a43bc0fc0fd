// Parts and headings of a text that is given as a string.
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { textOf } from "../../storage/pack.ts";
import { partOf, type ContentPart, type Source, type WantedPart } from "../content-part.ts";
import { headingsOf, type Heading } from "../headings.ts";

const encoder = new TextEncoder();

export function sourceOf(text: string, type: ArtifactType): Source {
  const bytes = encoder.encode(text);
  return { bytes, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"), type };
}

/** The part with its bytes as a text. */
export function partIn(text: string, type: ArtifactType, wanted: WantedPart) {
  const { bytes, ...part }: ContentPart = partOf(sourceOf(text, type), wanted);
  return { ...part, text: textOf(bytes) };
}

export const headingsIn = (text: string, type: ArtifactType): readonly Heading[] => headingsOf(sourceOf(text, type));
