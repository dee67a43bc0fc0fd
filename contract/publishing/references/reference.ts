// The references of a document, and the check for a relative path among their URLs. Reads no files.
import { percentDecoded } from "@plinth/platform/malformed";

import type { ImportGlob } from "../import-glob.ts";

/**
 * How a document uses a URL: it loads it (`load`), imports it as a module, which may leave out the extension (`import`),
 * links to it (`link`), or has it as a text that may be a path (`mention`).
 */
export type ReferenceUse = "load" | "import" | "link" | "mention";

export interface Reference {
  /** As the text has it, with its entities and escapes decoded. */
  readonly url: string;
  /** Counted from 1. */
  readonly line: number;
  readonly use: ReferenceUse;
  /** What resolves the URL: the document that is opened, or the file that contains the URL. */
  readonly from: "document" | "file";
  /** Of an import of all files that patterns mean; its URL is the patterns. */
  readonly glob?: ImportGlob;
}

/** Characters of a path; the service takes 255 bytes. */
const longest = 1024;

/** A template that is not filled in (`{{ image }}`, `${name}`), or a character that no published path has. */
const unusual = /[{}<>]|\p{Cc}/u;

/**
 * The decoded path of a relative URL, which may begin with `../`; null for another site, a scheme, a fragment, a query
 * alone, and a path that begins with `/`.
 */
export function relativePath(url: string): string | null {
  const path = pathOf(url);
  return path === null || path.startsWith("/") ? null : path;
}

/** Whether the URL is a path from the root of its site, which a folder does not have. */
export const isRooted = (url: string): boolean => pathOf(url)?.startsWith("/") ?? false;

function pathOf(url: string): string | null {
  const text = url
    .trim()
    .replaceAll(/[\t\r\n]/g, "")
    .replaceAll("\\", "/");
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(text)) return null;
  const path = text.replace(/[?#][\s\S]*$/, "");
  if (path === "" || path.length > longest || unusual.test(path)) return null;
  const decoded = percentDecoded(path) ?? path;
  return unusual.test(decoded) ? path : decoded;
}

/** The line of a place in a text, for places in rising order. */
export function lineCounter(text: string, firstLine = 1): (place: number) => number {
  let at = 0;
  let line = firstLine;
  return (place) => {
    for (let next = text.indexOf("\n", at); next !== -1 && next < place; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}
