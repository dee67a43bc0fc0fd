// Images of other sites in a rendered markdown document. A rendering is stored by its content alone, so an image is a
// marked place in it, with all that either an image or a pill needs; which of them is shown is decided when it is served.
import { escapeHtml } from "../escape-html.ts";

/** Two NULs: neither a source nor what a parser makes of one can hold them, and a project's mark is one. */
const mark = "\0\0";
/** Between two marks of a place: the URL, the pill up to its title, the rest of it, the attributes, the other sources. */
const partsOfPlace = 5;

/** Another URL for the same image, as for a dark screen. */
export interface ImageSource {
  readonly url: string;
  readonly media: string;
}

interface ImagePlace {
  readonly url: string;
  /** HTML of the pill that stands for the image; `titleMark` is the text of its title. */
  readonly pill: string;
  /** Written attributes of the image but its source. */
  readonly attributes: string;
  readonly sources: readonly ImageSource[];
}

/** A longer URL is no image's. */
const urlLengthMax = 2048;

/**
 * The URL that is fetched for an image of another site, without its fragment; null where none is. A URL with a name or
 * password is none: it would be sent to the site, or another image than the author's would be kept.
 */
export function remoteImageUrl(given: URL): string | null {
  const { protocol, username, password } = given;
  if ((protocol !== "https:" && protocol !== "http:") || username + password !== "") return null;
  const url = new URL(given);
  url.hash = "";
  return url.href.length <= urlLengthMax ? url.href : null;
}

/** Stands for a pill's title. */
export const titleMark = mark;

/** A place as it is written into a rendering. */
export const placeMarks = ({ url, pill, attributes, sources }: ImagePlace): string =>
  mark + [url, pill, attributes, sources.length === 0 ? "" : JSON.stringify(sources)].join(mark) + mark;

/** An image as it is served: its URL and its size where that is known, or why it is missing. */
export type ShownImage =
  | { readonly address: string; readonly size: { readonly width: number; readonly height: number } | null }
  | { readonly missing: string };

/** The different URLs of a rendering's images, in order, but for those of the instance's own origins. */
export function remoteImages(html: string, ownOrigins: ReadonlySet<string>): string[] {
  if (!hasRemoteImages(html)) return [];
  const found = new Set<string>();
  for (const { url, sources } of placesOf(html.split(mark))) {
    found.add(url);
    for (const source of sources) found.add(source.url);
  }
  return [...found].filter((url) => !ownOrigins.has(new URL(url).origin));
}

export const hasRemoteImages = (html: string): boolean => html.includes(mark);

/** The rendering with an image or a pill at each place. */
export function showImages(html: string, shown: (url: string) => ShownImage): string {
  if (!hasRemoteImages(html)) return html;
  const parts = html.split(mark);
  const between = parts.filter((_part, index) => index % (partsOfPlace + 1) === 0);
  const places = placesOf(parts).map((place) => placeHtml(place, shown));
  return between.map((text, index) => text + (places[index] ?? "")).join("");
}

interface ReadPlace extends Omit<ImagePlace, "pill"> {
  readonly pill: readonly [start: string, rest: string];
}

function placesOf(parts: readonly string[]): ReadPlace[] {
  const found: ReadPlace[] = [];
  for (let at = 1; at + partsOfPlace <= parts.length; at += partsOfPlace + 1) {
    const [url = "", start = "", rest = "", attributes = "", sources = ""] = parts.slice(at, at + partsOfPlace);
    const others = sources === "" ? [] : (JSON.parse(sources) as ImageSource[]);
    found.push({ url, pill: [start, rest], attributes, sources: others });
  }
  return found;
}

function placeHtml({ url, pill, attributes, sources }: ReadPlace, shown: (url: string) => ShownImage): string {
  const image = shown(url);
  if ("missing" in image) return pill.join(escapeHtml(image.missing));
  const others = sources.flatMap((source) => {
    const other = shown(source.url);
    return "missing" in other
      ? []
      : [`<source srcset="${escapeHtml(other.address)}" media="${escapeHtml(source.media)}">`];
  });
  const img = `<img src="${escapeHtml(image.address)}"${attributes}${sizeAttributes(attributes, image.size)} loading="lazy">`;
  return others.length === 0 ? img : `<picture>${others.join("")}${img}</picture>`;
}

/** The size of the bytes, so that the text does not move when they arrive; of what the author sized, the other side. */
function sizeAttributes(attributes: string, size: { readonly width: number; readonly height: number } | null): string {
  if (size === null) return "";
  const [width, height] = [numberOf(attributes, "width"), numberOf(attributes, "height")];
  if (width === "none" && height === "none") return ` width="${size.width}" height="${size.height}"`;
  if (typeof width === "number" && height === "none")
    return ` height="${Math.round((width * size.height) / size.width)}"`;
  if (typeof height === "number" && width === "none")
    return ` width="${Math.round((height * size.width) / size.height)}"`;
  return "";
}

function numberOf(attributes: string, name: "width" | "height"): number | "none" | "other" {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(attributes) ?? [];
  if (value === undefined) return "none";
  return /^\d{1,5}$/.test(value) ? Number(value) : "other";
}
