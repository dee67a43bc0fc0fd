// A rendering is stored by its content alone, wherever that is published: relative addresses in it begin with a mark,
// and become those of its folder, or of a file beside it, when the document is served.
import { encodedPath } from "@plinth/contract/publishing/file-path";
import { percentDecoded } from "@plinth/platform/malformed";

import { escapeHtml } from "../escape-html.ts";
import type { OwnImages } from "./own-images.ts";

/** NUL: neither a source nor what a parser makes of one can hold it, so no author can write it. */
export const PROJECT_MARK = "\0";

/** The files beside a document. */
export interface DocumentFiles {
  /** Absolute: the address of their root, with a slash at its end. */
  readonly url: string;
  /** The directory of the document among them, with a slash at its end, or empty. */
  readonly base: string;
  readonly paths: ReadonlySet<string>;
  /** The directory whose index page is the document; absent or null where it is no index page. */
  readonly index?: string | null;
}

/**
 * The rendering for a document in that folder, whose URL is absolute and ends in a slash. An address that begins with a
 * slash is one of the instance.
 */
export function inFolder(html: string, folderUrl: string, files: DocumentFiles | null, own: OwnImages): string {
  if (!html.includes(PROJECT_MARK)) return html;
  const root = new URL("/", folderUrl).href.slice(0, -1);
  const fileOf = (address: string): string | null => (files === null ? null : fileAddress(address, files));
  const shown = html.replaceAll(images, (_image, address: string, attributes: string) =>
    // Another query of a file would be another request for the same bytes.
    imageHtml(fileOf(address.replace(/\?[^#]*/, "")), new URL(unescaped(address), folderUrl), attributes, own),
  );
  const sourced = shown.replaceAll(sources, (_source, address: string, attributes: string) => {
    const file = fileOf(address.replace(/\?[^#]*/, ""));
    const image = file === null ? own.shown(new URL(unescaped(address), folderUrl).href) : { address: file };
    // Without it the image itself is shown, or named.
    if (image === null || !("address" in image)) return "";
    return `<source srcset="${file ?? escapeHtml(image.address)}"${attributes}>`;
  });
  const played = sourced.replaceAll(recordings, (link, kind: string, address: string) => {
    const file = fileOf(address);
    return file === null ? link : `<${kind} src="${file}" controls preload="metadata"></${kind}>`;
  });
  const framed = played.replaceAll(links, (link, address: string) => {
    const file = fileOf(address);
    return file !== null && isPage.test(file) ? `href="${file}"` : link;
  });
  return framed.replaceAll(
    marked,
    (_match, address: string) =>
      fileOf(address) ?? (address.startsWith("/") ? root : folderUrl) + address.replace(extension, "$1"),
  );
}

/** Extensions that a document's file has and its slug has not. */
const extension = /\.(?:md|markdown|html?|jsx|tsx)($|[?#])/i;

/** The class of a link that a `video` or an `audio` element has become. */
export const recordingClass = (kind: string): string => `recording-${kind}`;
const recordings = new RegExp(`<a class="recording-(video|audio)" href="${PROJECT_MARK}([^"]*)"[^>]*>[^<]*</a>`, "g");

/** An image, whose source is its first attribute. */
const images = new RegExp(`<img src="${PROJECT_MARK}([^"]*)"((?: [\\w-]+(?:="[^"]*")?)*)>`, "g");

/** Another source of an image, for some screens. */
const sources = new RegExp(`<source srcset="${PROJECT_MARK}([^"]*)"((?: [\\w-]+(?:="[^"]*")?)*)>`, "g");

/** The file, else the image of the instance at the URL; the text of the image where there is neither. */
function imageHtml(file: string | null, url: URL, attributes: string, own: OwnImages): string {
  if (file !== null) return `<img src="${file}"${attributes}>`;
  const image = own.shown(url.href);
  if (image !== null && "address" in image) return `<img src="${escapeHtml(image.address)}"${attributes}>`;
  const name = escapeHtml(url.pathname.slice(url.pathname.lastIndexOf("/") + 1));
  const [, alt = ""] = / alt="([^"]*)"/.exec(attributes) ?? [];
  // Within an attribute a bracket is written as it is.
  const text = alt.trim().replaceAll("<", "&lt;") || name;
  const [, only = ""] = / class="(only-\w+)"/.exec(attributes) ?? [];
  return `<span class="${`missing-image ${only}`.trim()}" title="${name} was not published">${text}</span>`;
}

/** A page beside the document opens in its frame, which opens no tabs. */
const links = new RegExp(`href="${PROJECT_MARK}([^"]*)" target="_blank"`, "g");
const isPage = /\.html?(?:$|[?#])/i;

/** Within an attribute's value, which ends in a quotation mark. */
const marked = new RegExp(`${PROJECT_MARK}([^"${PROJECT_MARK}]*)`, "g");

/** The address of the file that a relative address (as HTML) names; null where it names none. */
function fileAddress(address: string, { url, base, paths }: DocumentFiles): string | null {
  const [, written = "", after = ""] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  const path = pathFrom(base, unescaped(written));
  if (path === null || !paths.has(path)) return null;
  return escapeHtml(url + encodedPath(path)) + after;
}

/** A URL in an attribute has no other character that is written as a reference. */
const unescaped = (address: string): string => address.replaceAll("&amp;", "&");

/** The path that a relative, percent-encoded address leads to from a directory; null where it leads out of the root. */
function pathFrom(base: string, address: string): string | null {
  const parts = base.split("/").slice(0, -1);
  for (const part of address.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else parts.push(part);
  }
  return percentDecoded(parts.join("/"));
}
