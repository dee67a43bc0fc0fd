// A framed html document with the addresses of kept images in place of the URLs that its lock knows, and pills in place
// of images that are missing. Pure; the published source stays as it is.
import { createHmac } from "node:crypto";
import { percentDecoded } from "@plinth/platform/malformed";

import type { Edit } from "../packages/rewrite.ts";
import type { ImageEntry, ImageLock } from "./lock.ts";
import type { ImagePiece, ImageReference, ImageUrl } from "./reference.ts";

// Where kept images are served. The key is an HMAC over the artifact and the bytes: it never changes its bytes, and who
// has an image cannot find out whether a private document shows it.
export const imagesPath = "/_images/";

/** Hex. `sha256` is of the bytes, hex. */
export const imageKey = (secret: string, artifactId: string, sha256: string): string =>
  createHmac("sha256", secret).update(`remote-image\0${artifactId}\0${sha256}`).digest("hex");

export const imageAddress = (key: string): string => imagesPath + key;

// The image that stands for one that is missing: its text in a small pill. An image, so that the document's elements,
// styles and scripts stay as they are.
const height = 20;
/** Of a character at this size, on average. */
const characterWidth = 6.2;
const padding = 8;
const lengthMax = 60;

/** As a data URL. With its own ground, because nothing tells it whether the document's is light or dark. */
function pillImage(text: string): string {
  const shown = text.length > lengthMax ? `${text.slice(0, lengthMax - 1).trimEnd()}…` : text;
  const width = Math.ceil([...shown].length * characterWidth) + 2 * padding;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMinYMid meet"><style>rect{fill:#f2f2f1;stroke:#c9c7c1}text{fill:#54524d;font:500 11px system-ui,sans-serif}</style><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9.5"/><text x="50%" y="14" text-anchor="middle">${escaped(shown)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** For an image whose text is empty: its author calls it decoration. */
const noImage = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')}`;

/** XML has no control characters, and no half of a pair. */
const escaped = (text: string): string =>
  [...text.toWellFormed()]
    .map((character) => (character < " " || character >= "\uFFFE" ? " " : character))
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** Of a URL that the lock does not know. */
export const beyondLimit = "Plinth keeps at most 100 images of a document";

interface ImageRewriting {
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
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  return pillImage(alt?.trim() ?? ((percentDecoded(name) ?? name) || host));
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
