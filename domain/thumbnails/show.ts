// The picture of an artifact as it is given out, and what stands for it until it is there
// (docs/reference/contract.md §4).
import type { Input } from "@plinth/contract/registry";
import { thumbnailSizes, type ThumbnailState } from "@plinth/contract/schemas/artifact";

import type { LoadedPicture, PictureRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { placeholder } from "./placeholder.ts";
import { lookedFor } from "./version-pictures.ts";

export interface ThumbnailDocument {
  readonly state: ThumbnailState;
  /** Of the artifact, to name a file by. */
  readonly slug: string;
  /** Another whenever there is something else to see; without its quotes. */
  readonly tag: string;
  /** WebP, or SVG where there is no picture; null where the caller has it already. */
  readonly body: Uint8Array | string | null;
  /** Anyone may have it, shared caches included. */
  readonly isPublic: boolean;
}

const notes = {
  pending: "The picture is being taken",
  placeholder: "There is no picture of this version",
} as const;

/** Of a head: its row says whether there is a picture, or that there will be none. */
export function thumbnailState(picture: Pick<PictureRow, "isTaken"> | null): ThumbnailState {
  if (picture === null) return "pending";
  return picture.isTaken ? "ready" : "placeholder";
}

/** Of an older version it has one taken that isn't there, and kept that is. */
export async function showThumbnail(
  context: Context,
  { size = thumbnailSizes[0] }: Input<"artifact.thumbnail">,
  { artifact, version, picture }: LoadedPicture,
): Promise<ThumbnailDocument> {
  if (version !== null && version.versionNumber < artifact.latestVersion)
    await lookedFor(context, artifact, version.versionNumber, picture);
  const { slug, publicView: isPublic, title, type } = artifact;
  if (picture?.isTaken) return { state: "ready", slug, tag: picture.tag, body: picture.bytes, isPublic };
  const state = picture === null ? "pending" : "placeholder";
  const body = placeholder({ type, title, note: notes[state] }, size);
  return { state, slug, tag: `${state}-${Bun.hash.xxHash64(body).toString(36)}`, body, isPublic };
}
