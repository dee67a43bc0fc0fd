// The images of other sites that an html document shows, as the parser finds them. They are stored and
// cross processes.
import { remoteImageUrl } from "../render/document/remote-images.ts";

/** An image in the text of an attribute or a style. */
export interface ImageUrl {
  /** Absolute, http or https, without a fragment. */
  readonly url: string;
  /** With its `#`; empty where there is none. */
  readonly fragment: string;
}

/** Beyond it no text is looked at: a data URL can have megabytes. */
const textMax = 4096;

/** What an attribute or a style consists of: text as it is, and images. */
export type ImagePiece = string | ImageUrl;

export interface ImageReference {
  readonly start: number;
  readonly end: number;
  /**
   * `attribute` is all of one, its name included; `candidates` is a srcset, `style` a style attribute. `css` is a url() of
   * a style sheet and `css-argument` the string in it.
   */
  readonly syntax: "attribute" | "candidates" | "style" | "css" | "css-argument";
  /** Of `candidates` each image is followed by its descriptor. */
  readonly pieces: readonly ImagePiece[];
  /** Of an image that is shown as its text where it is missing. */
  readonly shown?: { readonly alt: string | null; readonly isTitled: boolean };
}

/** The image of another site that a text names; null for any other text. */
export function imageUrl(text: string): ImageUrl | null {
  const given = text.length <= textMax ? URL.parse(text.trim(), "https://document.invalid/") : null;
  const url = given === null || given.hostname === "document.invalid" ? null : remoteImageUrl(given);
  return url === null || given === null ? null : { url, fragment: given.hash };
}

/** The different URLs, in order. */
export const urlsOf = (references: readonly ImageReference[]): string[] => [
  ...new Set(
    references.flatMap(({ pieces }) => pieces.flatMap((piece) => (typeof piece === "string" ? [] : piece.url))),
  ),
];
