// The rules for the requests of a document: the links that it can open, and the file names that it can use. Pure.

/** The URL of a link, relative to the page; null where it is none that a document may lead to. */
export function linkOf(address: string, page: string): URL | null {
  const url = URL.parse(address, page);
  return url && /^(?:https?|mailto):$/.test(url.protocol) ? url : null;
}

/** Whether a URL is of a project on this instance: opening it tells no one else anything. */
export const isDocumentHere = (url: URL, origin: string): boolean =>
  url.origin === origin && /^\/(?!api\/|_)[^/]+\/[^/]+\/[^/]+/.test(url.pathname);

/** A file's name without a path, control or bidirectional characters, as the reader sees it and the disk gets it. */
export const fileName = (name: string): string =>
  name
    .replace(/[\p{C}/\\:*?"<>|]+/gu, " ")
    .replace(/^[\s.]+/, "")
    .trimEnd() || "document.txt";
