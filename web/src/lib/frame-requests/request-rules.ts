// What of a document's requests the page goes along with. Pure.

const schemes = new Set(["http:", "https:", "mailto:"]);

/** The URL of a link, relative to the page; null where it is none that a document may lead to. */
export function linkOf(address: string, page: string): URL | null {
  const { origin, pathname } = new URL(page);
  const url = URL.parse(address, origin + pathname);
  return url && schemes.has(url.protocol) ? url : null;
}

/** Whether a URL is of a project on this instance: opening it tells no one else anything. */
export const isDocumentHere = (url: URL, origin: string): boolean =>
  url.origin === origin && /^\/(?!api\/|_)[^/]+\/[^/]+\/[^/]+/.test(url.pathname);

/** The kind of a file beside a document, from the address that the document names; null for any other address. */
export function fileBeside(url: URL, contentOrigin: string): "page" | "download" | null {
  if (url.origin !== contentOrigin || !/^\/_content\/(?:p\/[^/]+\/\d+|[^/]+)\/files\//.test(url.pathname)) return null;
  return /\.html?$/i.test(url.pathname) ? "page" : "download";
}

/** A file's name without a path, control or bidirectional characters, as the reader sees it and the disk gets it. */
export const fileName = (name: string): string =>
  name
    .replace(/[\p{C}/\\:*?"<>|]+/gu, " ")
    .replace(/^[\s.]+/, "")
    .trimEnd() || "document.txt";
