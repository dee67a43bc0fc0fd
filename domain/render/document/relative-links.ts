// A rendering is stored by its content alone, wherever that is published: relative addresses in it begin with a mark,
// and become those of its folder, or of a file beside it, when the document is served.
import { decodedPath, encodedPath } from "@plinth/contract/publishing/file-path";

import { escapeHtml } from "../escape-html.ts";

/** NUL: neither a source nor what a parser makes of one can hold it, so no author can write it. */
export const PROJECT_MARK = "\0";

/** The files beside a document. */
export interface DocumentFiles {
  /** Absolute: the address of their root, with a slash at its end. */
  readonly url: string;
  /** The directory of the document among them, with a slash at its end, or empty. */
  readonly base: string;
  readonly paths: ReadonlySet<string>;
}

/**
 * The rendering for a document in that folder, whose URL is absolute and ends in a slash. An address that begins with a
 * slash is one of the instance.
 */
export function inFolder(html: string, folderUrl: string, files: DocumentFiles | null): string {
  if (!html.includes(PROJECT_MARK)) return html;
  const root = new URL("/", folderUrl).href.slice(0, -1);
  const fileOf = (address: string): string | null => (files === null ? null : fileAddress(address, files));
  const played = html.replaceAll(recordings, (link, kind: string, address: string) => {
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

/** A page beside the document opens in its frame, which opens no tabs. */
const links = new RegExp(`href="${PROJECT_MARK}([^"]*)" target="_blank"`, "g");
const isPage = /\.html?(?:$|[?#])/i;

/** Within an attribute's value, which ends in a quotation mark. */
const marked = new RegExp(`${PROJECT_MARK}([^"${PROJECT_MARK}]*)`, "g");

/** The address of the file that a relative address (as HTML) names; null where it names none. */
function fileAddress(address: string, { url, base, paths }: DocumentFiles): string | null {
  const [, written = "", after = ""] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  const path = pathFrom(base, written.replaceAll("&amp;", "&"));
  if (path === null || !paths.has(path)) return null;
  return escapeHtml(url + encodedPath(path)) + after;
}

/** The path that a relative, percent-encoded address leads to from a directory; null where it leads out of the root. */
function pathFrom(base: string, address: string): string | null {
  const parts = base.split("/").slice(0, -1);
  for (const part of address.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else parts.push(part);
  }
  return decodedPath(parts.join("/"));
}
