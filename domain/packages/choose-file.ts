// Chooses the files of an unpacked package that a reference means. Pure.
import { exports } from "resolve.exports";

import type { FileWanted, Find } from "./cdn/package-file.ts";
import { manifestOf, type Manifest } from "./manifest.ts";
import { PackageProblem } from "./problem.ts";
import type { PackageFiles } from "./unpack.ts";

/** A package without the bytes of its files: enough to tell which of them a URL means. */
export interface Listing {
  readonly paths: readonly string[];
  /** The fields of package.json that may name the file for browsers. */
  readonly entries: Readonly<Record<string, string>>;
  /** Which types of files are listed; absent in listings kept before there were several. */
  readonly format?: number;
  /** The paths of the styles that it exports by other names; absent in listings kept before. */
  readonly styles?: Readonly<Record<string, string>>;
}

/** Raised with the types of files that are kept (media-types.ts) and their size. */
const listingFormat = 2;

/** Whether the package may have files that its listing leaves out. */
export const isFormerListing = ({ format }: Listing): boolean => format !== listingFormat;

const entryFields = ["browser", "jsdelivr", "main", "module", "style", "unpkg"];

export function listingOf(files: PackageFiles): Listing {
  const manifest = manifestOf(new TextDecoder().decode(files.get("package.json")));
  const entries = entryFields.flatMap((field) => {
    const path = manifest[field];
    return typeof path === "string" && path.length <= 255 ? [[field, path] as const] : [];
  });
  const paths = [...files.keys()].toSorted();
  return {
    format: listingFormat,
    paths,
    entries: Object.fromEntries(entries),
    styles: exportedStyles(manifest, paths),
  };
}

/** Exports that are looked at. */
const mostExports = 500;

function exportedStyles(manifest: Manifest, paths: readonly string[]): Record<string, string> {
  const names = typeof manifest["exports"] === "object" ? Object.keys(manifest["exports"] ?? {}) : [];
  const styles = names.slice(0, mostExports).flatMap((name) => {
    const target = name.startsWith("./") && !name.includes("*") ? exportedTarget(manifest, name) : null;
    return target !== null && target.endsWith(".css") && paths.includes(target) ? [[name.slice(2), target]] : [];
  });
  return Object.fromEntries(styles) as Record<string, string>;
}

/** The library throws on manifests of wrong form. */
function exportedTarget(manifest: Manifest, name: string): string | null {
  try {
    return exports(manifest, name, { browser: true, conditions: ["style"] })?.[0]?.replace(/^\.\//, "") ?? null;
  } catch {
    return null;
  }
}

/** The path of the wanted file or folder; null where it is optional and missing. @throws PackageProblem */
export function chosenPath({ name, find, isOptional, orFolder }: FileWanted, listing: Listing): string | null {
  const file = find.by === "entry" ? entryPath(find.fields, listing) : filePath(find, listing);
  const path = file ?? (orFolder === true && find.by !== "entry" ? folderPath(find.path, listing) : null);
  if (path !== null || isOptional === true) return path;
  const wanted = find.by === "entry" ? "file for browsers" : `file ${find.path}`;
  throw new PackageProblem("file-not-found", `${name} has no ${wanted}`);
}

type FindPath = Extract<Find, { by: "path" | "ending" | "folder" | "export" }>;

function filePath(find: FindPath, { paths, styles = {} }: Listing): string | null {
  if (find.by === "export" && Object.hasOwn(styles, find.path)) return styles[find.path] ?? null;
  if (find.by === "folder") return paths.some((path) => path.startsWith(find.path)) ? find.path : null;
  const exact = existing(find.path, paths);
  if (exact !== null || find.by !== "ending") return exact;
  const segments = find.path.split("/");
  for (let from = 0; from < segments.length; from++) {
    const ending = segments.slice(from).join("/");
    for (const name of spellings(ending)) {
      const found = shortest(paths.filter((path) => path === name || path.endsWith(`/${name}`)));
      if (found !== null) return found;
    }
  }
  return null;
}

/** The folder `vs/` of a path that a loader takes for the file `vs.js`. */
function folderPath(file: string, { paths }: Listing): string | null {
  const folder = file.replace(/\.js$/, "/");
  return paths.some((path) => path.startsWith(folder)) ? folder : null;
}

/** Also where the CDN minifies by itself (`x.min.js` of `x.js`) or adds the extension. */
const existing = (path: string, paths: readonly string[]): string | null =>
  spellings(path).find((spelling) => paths.includes(spelling)) ?? null;

const spellings = (path: string): string[] => [
  path,
  path.replace(/\.min\.(js|mjs|css)$/, ".$1"),
  `${path}.js`,
  `${path}/index.js`,
];

const shortest = (paths: readonly string[]): string | null =>
  paths.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))[0] ?? null;

function entryPath(fields: readonly string[], { paths, entries }: Listing): string | null {
  const named = fields.flatMap((field) => (Object.hasOwn(entries, field) ? (entries[field] ?? []) : []));
  for (const path of [...named.map((value) => value.replace(/^\.?\//, "")), "index.js"]) {
    const found = existing(path, paths);
    if (found !== null) return found;
  }
  return null;
}
