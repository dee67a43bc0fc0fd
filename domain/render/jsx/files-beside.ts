// Imports of a jsx document from the files beside it: scripts and data become part of its module, a style sheet is
// linked, and of every other file the import is its URL. A query asks for the text (`?raw`) or the URL (`?url`) of any.
import { directoryOf, encodedPath } from "@plinth/contract/publishing/file-path";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import { afterAlias, importCandidates, sourceFolders } from "@plinth/contract/publishing/import-path";

export interface FilesBeside {
  /** The directory of the document among the files, with a slash at its end, or empty. */
  readonly base: string;
  readonly paths: ReadonlySet<string>;
  /** Of those that an import reads (`isReadByImports`), unless they are too large together. */
  readonly texts: ReadonlyMap<string, string>;
}

export const nothingBeside: FilesBeside = { base: "", paths: new Set(), texts: new Map() };

/** Bytes of all files that imports may read, uncompressed; the smallest come first. */
export const importedBytesMax = 8 * 1024 * 1024;

const script = /\.(?:[jt]sx?|m[jt]s)$/i;
export const isScript = (path: string): boolean => script.test(path);
export const isData = (path: string): boolean => /\.json$/i.test(path);
export const isStyleSheet = (path: string): boolean => /\.css$/i.test(path);
/** A style sheet whose class names an import gives (style-modules.ts). */
export const isStyleModule = (path: string): boolean => /\.module\.css$/i.test(path);

/** Whether each import of the file reads it. */
export const isReadByImports = (path: string): boolean => isScript(path) || isData(path) || isStyleSheet(path);

/** Whether an import can ask for its text. */
export const isText = (path: string): boolean =>
  isReadByImports(path) || /^text\/|json|xml|javascript/.test(mediaTypeOf(path) ?? "");

const quotedPath = /["'`](?:(?:\.{1,2}|[@~])\/|\.{1,2}["'`])|import\.meta/;

/** False for a text that imports no file beside it: what it compiles to depends on none then. */
export const mayImportFiles = (source: string): boolean => quotedPath.test(source);

/** Whether it names a file by its place, or by the alias that projects give their sources. */
const isLocal = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier) || afterAlias(specifier) !== null;

/** What an import asks of a file: to be a module of it, its text, or its address. */
export type ImportedAs = "module" | "text" | "address";

export interface ImportedFile {
  readonly path: string;
  readonly as: ImportedAs;
}

const queries: Readonly<Record<string, ImportedAs>> = { inline: "text", raw: "text", url: "address" };

/** The file that an import in the document, whose path is null, or in a file beside it stands for; null where there is none. */
export function importedFile(beside: FilesBeside, from: string | null, specifier: string): ImportedFile | null {
  const directory = from === null ? beside.base : directoryOf(from);
  const [, plain = specifier, query = ""] = /^(.*)\?(raw|url|inline)$/s.exec(specifier) ?? [];
  const path = localPath(beside, directory, plain);
  return path === null ? null : { path, as: queries[query] ?? "module" };
}

/** The path that an import in a directory stands for; null where there is no such file. */
export function localPath({ base, paths }: FilesBeside, directory: string, specifier: string): string | null {
  if (!isLocal(specifier)) return null;
  const alias = afterAlias(specifier);
  const starts = alias === null ? [directory] : [base, ""].flatMap((root) => sourceFolders.map((one) => root + one));
  for (const start of starts) {
    const path = joined(start, alias ?? specifier);
    const found = path === null ? undefined : importCandidates(path).find((candidate) => paths.has(candidate));
    if (found !== undefined) return found;
  }
  return null;
}

/** The same of a file that becomes a module; null of one that is asked for as it is. */
export function importedPath(beside: FilesBeside, from: string | null, specifier: string): string | null {
  const file = importedFile(beside, from, specifier);
  return file?.as === "module" ? file.path : null;
}

/** Null for a path out of the version's files. */
function joined(directory: string, relative: string): string | null {
  const parts = directory.split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** The address of a file, relative to that of the document. */
export function addressFrom(base: string, path: string): string {
  const [from, to] = [base.split("/").slice(0, -1), path.split("/")];
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  const up = "../".repeat(from.length - shared);
  return `${up === "" ? "./" : up}${encodedPath(to.slice(shared).join("/"))}`;
}
