// The images of a srcset, with the text between them.
import { srcsetCandidates } from "@plinth/platform/srcset";

import { imageUrl, type ImagePiece } from "../reference.ts";

/** Pieces in which each candidate is one image and one text; null where none of them is of another site. */
export function srcsetPieces(text: string): ImagePiece[] | null {
  const pieces = srcsetCandidates(text).flatMap(({ url, descriptor }): ImagePiece[] => {
    const image = imageUrl(url);
    return image === null ? [url + descriptor] : [image, descriptor];
  });
  return pieces.some((piece) => typeof piece !== "string") ? pieces : null;
}
