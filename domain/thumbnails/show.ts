// The response to a request for a thumbnail: the screenshot, or a placeholder (docs/reference/contract.md §4).
import type { Input } from "@plinth/contract/registry";
import { thumbnailSizes, type ThumbnailState } from "@plinth/contract/schemas/artifact";

import type { LoadedPicture, PictureRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { placeholder } from "./placeholder.ts";
import { useVersionScreenshot } from "./version-screenshots.ts";

export interface ThumbnailDocument {
  readonly state: ThumbnailState;
  /** The artifact's, for a file name. */
  readonly slug: string;
  /** The entity tag without its quotes. It changes with the image. */
  readonly tag: string;
  /** WebP, or the SVG of a placeholder; null where the caller has it already. */
  readonly body: Uint8Array | string | null;
  /** Whether shared caches may store it. */
  readonly isPublic: boolean;
}

const notes = {
  pending: "The screenshot is being taken",
  placeholder: "There is no screenshot of this version",
} as const;

/** The state of a latest version: no row means that the screenshot is pending. */
export function thumbnailState(screenshot: Pick<PictureRow, "isTaken"> | null): ThumbnailState {
  if (screenshot === null) return "pending";
  return screenshot.isTaken ? "ready" : "placeholder";
}

/** Also requests a missing screenshot of an older version, and keeps an existing one from removal. */
export async function showThumbnail(
  context: Context,
  { size = thumbnailSizes[0] }: Input<"artifact.thumbnail">,
  { artifact, version, picture }: LoadedPicture,
): Promise<ThumbnailDocument> {
  if (version !== null && version.versionNumber < artifact.latestVersion)
    await useVersionScreenshot(context, artifact, version.versionNumber, picture);
  const { slug, publicView: isPublic, title, type } = artifact;
  if (picture?.isTaken) return { state: "ready", slug, tag: picture.tag, body: picture.bytes, isPublic };
  const state = picture === null ? "pending" : "placeholder";
  const body = placeholder({ type, title, note: notes[state] }, size);
  return { state, slug, tag: `${state}-${Bun.hash.xxHash64(body).toString(36)}`, body, isPublic };
}
