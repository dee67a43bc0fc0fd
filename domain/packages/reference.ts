// The URLs that a document loads, as the parsers find them. Types alone: they are stored and cross processes.

/** How a document uses a URL; it decides which files of a package belong to it. */
export type ReferenceUse =
  | "script"
  /** A script of type module, or an import. */
  | "module"
  | "style"
  /** A font or an image that a style names. */
  | "asset"
  /** A folder: the value of an import map's key that ends in a slash. */
  | "prefix"
  /** A folder that a script has as a text, to complete the names of files. */
  | "folder"
  /** A path of a module loader such as RequireJS, which adds its ending. */
  | "amd"
  /** A file beside the document, by its relative path; it is no package's. */
  | "file";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a URL stands in the source, and how its replacement is written there. */
export interface Place extends Span {
  /** `amd` is a string without an ending, `template` the beginning of a template literal, without its quote. */
  readonly syntax: "attribute" | "string" | "amd" | "template" | "css-string" | "css-argument" | "css-url";
}

export interface Reference {
  /** Absolute, http or https; of an import of jsx `npm:name/path`, of a file beside the document its relative path. */
  readonly url: string;
  readonly use: ReferenceUse;
  /** Null for a URL that is only reached through an import map, whose own text is replaced instead, and for jsx. */
  readonly place: Place | null;
  /** For an attribute: its element's start tag, and the `integrity` beside it, which is of other bytes. */
  readonly tag?: Span;
  readonly integrity?: Span;
}

/** A longer URL is of no package, and stays as it is: each is in the lock. */
const longest = 4096;

/** The URL where it is absolute and of http or https, `//host/path` included; else null. */
export function remoteUrl(text: string): string | null {
  const url = text.length > longest ? null : URL.parse(text.trim(), "https://document.invalid/");
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.hostname === "document.invalid" ? null : url.href;
}
