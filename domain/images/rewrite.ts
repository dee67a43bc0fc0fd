// A framed html document with the addresses of kept images in place of the URLs that its lock knows, and pills in place
// of images that are missing. Pure; the published source stays as it is.
import type { Edit } from "../packages/rewrite.ts";
import { imageAddress } from "./address.ts";
import type { ImageEntry, ImageLock } from "./lock.ts";
import { noImage, pillImage } from "./pill.ts";
import type { ImagePiece, ImageReference, ImageUrl } from "./reference.ts";

/** Of a URL that the lock does not know. */
export const beyondLimit = "Plinth keeps at most 100 images of a document";

export interface ImageRewriting {
  /** Null where nothing is kept yet. */
  readonly lock: ImageLock | null;
  /** Why there is no image without a lock. */
  readonly status: string;
}

/** The edits, in no order. */
export function imageEdits(html: string, references: readonly ImageReference[], rewriting: ImageRewriting): Edit[] {
  const entries = new Map(rewriting.lock?.entries.map((entry) => [entry.url, entry]));
  const addressOf = ({ url, fragment }: ImageUrl): string | null => {
    const key = entries.get(url)?.image?.key;
    return key === undefined ? null : imageAddress(key) + fragment.replaceAll(/["'()\\\s]/g, encodeURIComponent);
  };
  const reasonOf = (url: string): string => reason(entries.get(url), rewriting);
  return references.flatMap((reference) => {
    const { start, end } = reference;
    const text = replacement(html, reference, addressOf, reasonOf);
    return text === null ? [] : [{ start, end, text }];
  });
}

const reason = (entry: ImageEntry | undefined, { lock, status }: ImageRewriting): string =>
  entry?.missing?.detail ?? (lock === null ? status : beyondLimit);

/** What takes the place of a reference; null where it stays as it is. */
function replacement(
  html: string,
  { start, end, syntax, pieces, shown }: ImageReference,
  addressOf: (image: ImageUrl) => string | null,
  reasonOf: (url: string) => string,
): string | null {
  if (syntax === "css" || syntax === "css-argument") {
    const [address] = pieces.map((piece) => (typeof piece === "string" ? null : addressOf(piece)));
    if (address === null || address === undefined) return null;
    return syntax === "css" ? `url("${address}")` : `"${address}"`;
  }
  const name = /^[^=\s]+/.exec(html.slice(start, end))?.[0] ?? "src";
  if (syntax === "style") return hasKept(pieces, addressOf) ? attribute(name, styleText(pieces, addressOf)) : null;
  // A browser takes a candidate before `src`, so none may be left that cannot be shown.
  if (syntax === "candidates") {
    const kept = candidates(pieces, addressOf);
    return kept.length === 0 ? "" : attribute(name, kept.join(", "));
  }
  const [image] = pieces;
  if (image === undefined || typeof image === "string") return null;
  const address = addressOf(image);
  if (address !== null) return attribute(name, address);
  if (shown === undefined) return name.toLowerCase() === "poster" ? "" : null;
  const title = shown.isTitled ? "" : ` ${attribute("title", reasonOf(image.url))}`;
  return attribute(name, standIn(image.url, shown.alt)) + title;
}

function standIn(url: string, alt: string | null): string {
  if (alt?.trim() === "") return noImage;
  const { pathname, host } = new URL(url);
  return pillImage(alt?.trim() ?? (decoded(pathname.slice(pathname.lastIndexOf("/") + 1)) || host));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function candidates(pieces: readonly ImagePiece[], addressOf: (image: ImageUrl) => string | null): string[] {
  const kept: string[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (typeof piece === "string") kept.push(piece);
    else if (piece !== undefined) {
      const address = addressOf(piece);
      const descriptor = pieces[++at];
      if (address !== null) kept.push(address + (typeof descriptor === "string" ? descriptor : ""));
    }
  }
  return kept;
}

const hasKept = (pieces: readonly ImagePiece[], addressOf: (image: ImageUrl) => string | null): boolean =>
  pieces.some((piece) => typeof piece !== "string" && addressOf(piece) !== null);

const styleText = (pieces: readonly ImagePiece[], addressOf: (image: ImageUrl) => string | null): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : `"${addressOf(piece) ?? escapedUrl(piece)}"`)).join("");

const escapedUrl = ({ url, fragment }: ImageUrl): string => (url + fragment).replaceAll(/["\\\n]/g, encodeURIComponent);

const attribute = (name: string, value: string): string =>
  `${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** Whether a document shows a kept image, which its policy must then allow. */
export const showsImages = (lock: ImageLock | null): boolean =>
  lock !== null && lock.entries.some(({ image }) => image !== null);
