// The images of other sites that an html document shows, by the tree that a browser builds of it. Runs on hostile text:
// child processes only. Images that a script makes are not found.
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { srcsetCandidates } from "@plinth/platform/srcset";

import { textOf } from "../../packages/find/html-references.ts";
import { styleUrls } from "../../packages/find/style-references.ts";
import { type ImagePiece, type ImageReference, imageUrl } from "../reference.ts";

/** Pieces in which each candidate is one image and one text; null where none of them is of another site. */
function srcsetPieces(text: string): ImagePiece[] | null {
  const pieces = srcsetCandidates(text).flatMap(({ url, descriptor }): ImagePiece[] => {
    const image = imageUrl(url);
    return image === null ? [url + descriptor] : [image, descriptor];
  });
  return pieces.some((piece) => typeof piece !== "string") ? pieces : null;
}

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** More are left as they are: each place is kept and written. */
const placesMax = 5000;
/** Of one attribute, which is left as it is with more: each piece is kept and written too. */
const piecesMax = 1000;
/** Of a document. */
const allPiecesMax = 20_000;

/** The attributes that name an image, of elements of HTML and SVG. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  img: ["src"],
  input: ["src"],
  video: ["poster"],
  image: ["href", "xlink:href"],
  body: ["background"],
  table: ["background"],
  td: ["background"],
  th: ["background"],
};

/** In the order of the source. The same URL is found as often as it stands there. */
export function htmlImages(html: string): ImageReference[] {
  const found: ImageReference[] = [];
  // A list and no recursion: a hostile document nests as deep as it likes.
  const waiting: Node[] = [parse(html, { sourceCodeLocationInfo: true })];
  let pieces = 0;
  for (let node = waiting.pop(); node !== undefined && found.length < placesMax; node = waiting.pop()) {
    if ("tagName" in node) {
      for (const reference of ofElement(html, node)) {
        pieces += reference.pieces.length;
        if (pieces <= allPiecesMax) found.push(reference);
      }
    }
    if ("childNodes" in node) for (const child of node.childNodes.toReversed()) waiting.push(child);
  }
  return found.slice(0, placesMax).toSorted((one, other) => one.start - other.start);
}

function ofElement(html: string, element: Element): ImageReference[] {
  const { tagName } = element;
  if (tagName === "style") return ofStyleSheet(textOf(html, element));
  const named = tagName === "input" && valueOf(element, "type")?.toLowerCase() !== "image" ? [] : attributes[tagName];
  return [
    ...(named ?? []).flatMap((name) => ofAttribute(element, name)),
    ...(tagName === "img" || tagName === "source" ? ofPieces(element, "srcset", "candidates", srcsetPieces) : []),
    ...ofPieces(element, "style", "style", stylePieces),
  ];
}

function ofAttribute(element: Element, name: string): ImageReference[] {
  const [found] = ofPieces(element, name, "attribute", (text) => {
    const image = imageUrl(text);
    return image === null ? null : [image];
  });
  if (found === undefined) return [];
  if (name !== "src") return [found];
  return [{ ...found, shown: { alt: valueOf(element, "alt"), isTitled: valueOf(element, "title") !== null } }];
}

function ofPieces(
  element: Element,
  name: string,
  syntax: ImageReference["syntax"],
  piecesOf: (text: string) => ImagePiece[] | null,
): ImageReference[] {
  const span = element.sourceCodeLocation?.attrs?.[name];
  const text = span === undefined ? null : valueOf(element, name);
  const pieces = text === null ? null : piecesOf(text);
  return span === undefined || pieces === null || pieces.length > piecesMax
    ? []
    : [{ start: span.startOffset, end: span.endOffset, syntax, pieces }];
}

/** A font is no image, in any property. */
const fonts = /\.(?:woff2?|ttf|otf|eot)$/i;

function styleImage(text: string) {
  const image = imageUrl(text);
  if (image === null) return null;
  const { hostname, pathname } = new URL(image.url);
  return fonts.test(pathname) || hostname === "fonts.gstatic.com" ? null : image;
}

/** @import names a style sheet, which is no image. */
const imagesOfStyle = (text: string) =>
  styleUrls(text).flatMap(({ url, use, syntax, start, end }) => {
    const image = use === "asset" ? styleImage(url) : null;
    return image === null ? [] : [{ image, isArgument: syntax === "css-argument", start, end }];
  });

const ofStyleSheet = ({ value, start: at }: { value: string; start: number }): ImageReference[] =>
  imagesOfStyle(value).map(({ image, isArgument, start, end }) => ({
    start: start + at,
    end: end + at,
    syntax: isArgument ? "css-argument" : "css",
    pieces: [image],
  }));

/** The pieces of a style attribute: an image stands for a whole url(). */
function stylePieces(text: string): ImagePiece[] | null {
  const images = imagesOfStyle(text);
  if (images.length === 0) return null;
  const pieces: ImagePiece[] = [];
  let at = 0;
  for (const { image, isArgument, start, end } of images) {
    // Of url("…") the token is the string; what is ahead of it and behind it stays.
    pieces.push(isArgument ? text.slice(at, start) : `${text.slice(at, start)}url(`, image);
    if (!isArgument) pieces.push(")");
    at = end;
  }
  return [...pieces, text.slice(at)];
}

/** The value of an attribute by the name that it has in the source. */
function valueOf(element: Element, name: string): string | null {
  const [prefix, local] = name.includes(":") ? name.split(":") : [undefined, name];
  return element.attrs.find((one) => one.name === local && one.prefix === prefix)?.value ?? null;
}
