// Files of npm packages as CDNs name them, before anything was asked of a registry. Pure.
import { validRange } from "semver";
import { percentDecoded } from "@plinth/platform/malformed";

/** Which file of a package is meant. A path has no leading slash. */
export type Find =
  | { readonly by: "path"; readonly path: string }
  /** The path, or else the shortest one that ends with it: cdnjs leaves out the folders of a package. */
  | { readonly by: "ending"; readonly path: string }
  /** A style that the package exports by this name, or has at this path. */
  | { readonly by: "export"; readonly path: string }
  /** The first of these fields of package.json that names a file. */
  | { readonly by: "entry"; readonly fields: readonly string[] }
  /** A folder of which the document loads files; empty for the whole package. */
  | { readonly by: "folder"; readonly path: string }
  /**
   * The package or one of its exports as one module with all that it imports; with a slash at the end, a folder of which
   * the document imports modules.
   */
  | { readonly by: "bundle"; readonly path: string };

export interface Wanted {
  readonly name: string;
  /** A version, a range or a tag; empty for the latest version. */
  readonly range: string;
  readonly find: Find;
  /** The document does without it where the package has no file of that name. */
  readonly isOptional?: true;
  /** One of several parts of a URL that is as good without it: where there is none, it is named and left out. */
  readonly isPart?: true;
  /** All files of the folder are kept: a script loads them by names that it makes up. */
  readonly isWhole?: true;
  /** Where there is no such file, the folder of that name without its ending: what a module loader's path may be. */
  readonly orFolder?: true;
}

/** A file as the package has it. */
export type FileWanted = Wanted & { readonly find: Exclude<Find, { readonly by: "bundle" }> };
/** A module that is made. */
export type BundleWanted = Wanted & { readonly find: Extract<Find, { readonly by: "bundle" }> };

export const isFileWanted = (wanted: Wanted): wanted is FileWanted => !isBundleWanted(wanted);
export const isBundleWanted = (wanted: Wanted): wanted is BundleWanted => wanted.find.by === "bundle";

/** The files of a URL, in order; an empty list is an empty file. Null for a URL that is no package's. */
export type Mapping = readonly Wanted[] | null;

const longestName = 214;
const longestPath = 255;
const namePattern = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*$/i;

/** `name@range/path` of a URL's path, with or without a scope; null where a part is no name, range or path. */
export function packageSpec(text: string): { name: string; range: string; path: string } | null {
  const [, name = "", range = "", path = ""] =
    /^((?:@[^/@]+\/)?[^/@]+)(?:@([^/]*))?(?:\/(.*))?$/.exec((percentDecoded(text) ?? "").replace(/^\/+/, "")) ?? [];
  return isPackageName(name) && isRange(range) && isPath(path) ? { name, range, path } : null;
}

export const isPackageName = (name: string): boolean => name.length <= longestName && namePattern.test(name);

export const isRange = (range: string): boolean => validRange(range) !== null || /^[a-z][\w.-]{0,63}$/i.test(range);

/** Relative, without segments that lead elsewhere; a slash at the end names a folder. */
export const isPath = (path: string): boolean =>
  path === "" ||
  (path.length <= longestPath &&
    !/[\\\p{Cc}]/u.test(path) &&
    !path.startsWith("/") &&
    !path.split("/").some((segment) => segment === "." || segment === ".."));

/** A file of a known package, or a folder of it; null where the version that the URL names is none. */
export function fileOf(name: string, range: string, path: string, by: "path" | "ending" = "path"): Mapping {
  if (!isRange(range) || !isPath(path)) return null;
  return [{ name, range, find: { by: path === "" || path.endsWith("/") ? "folder" : by, path } }];
}
