// Resolves an import to a file of a package, by the rules of Node and bundlers for browsers. It uses only the manifest
// and the names of files: nothing is read from a disk.
import { exports, imports, legacy } from "resolve.exports";

import type { Manifest } from "../manifest.ts";

/** How an import is written: packages have other files for `require`. */
export type ImportKind = "import" | "require";

export interface PackageNames {
  readonly manifest: Manifest;
  readonly has: (path: string) => boolean;
  /** The package.json of a folder in the package; null where it has none. */
  readonly manifestIn: (folder: string) => Manifest | null;
}

const conditions = ["module", "production"];

/** The file of the package or of one of its subpaths; null where it exports none, undefined where it is to be empty. */
export function exportedFile(names: PackageNames, subpath: string, kind: ImportKind): string | null | undefined {
  const { manifest } = names;
  const options = { browser: true, conditions, require: kind === "require" };
  if (manifest["exports"] !== undefined && manifest["exports"] !== null) {
    const targets = attempt(() => exports(manifest, subpath === "" ? "." : `./${subpath}`, options));
    return firstFile(names, targets ?? []);
  }
  if (subpath !== "") return browserFile(names, subpath);
  const entry = attempt(() => legacy(manifest, { browser: ".", fields: ["module", "main"] }));
  if (entry === false) return undefined;
  const named = [entry, manifest["browser"], manifest["module"], manifest["main"], "index"];
  for (const one of named) {
    const file = typeof one === "string" ? browserFile(names, withoutDot(one)) : null;
    if (file !== null) return file;
  }
  return null;
}

/** The file that a private name (`#name`) of a package means. */
export function internalFile(names: PackageNames, name: string, kind: ImportKind): string | null {
  const options = { browser: true, conditions, require: kind === "require" };
  const targets = attempt(() => imports(names.manifest, name, options));
  return firstFile(names, targets ?? []);
}

/** The file that a relative import in a file of the package means. */
export function relativeFile(names: PackageNames, specifier: string, from: string): string | null | undefined {
  const path = joined(from, specifier);
  return path === null ? null : browserFile(names, path);
}

/** What the manifest's `browser` field makes of a bare import: another specifier, or false for an empty module. */
export function replacedImport({ manifest }: PackageNames, specifier: string): string | false | null {
  const replaced = browserMap(manifest)[specifier];
  return typeof replaced === "string" || replaced === false ? replaced : null;
}

function browserFile(names: PackageNames, path: string): string | null | undefined {
  const file = existing(names, path) ?? fileOfFolder(names, path);
  if (file === null) return null;
  const map = browserMap(names.manifest);
  const replaced = map[`./${file}`] ?? map[file];
  if (replaced === false) return undefined;
  return typeof replaced === "string" ? (existing(names, withoutDot(replaced)) ?? file) : file;
}

/** A folder with a package.json names its file there, which may be in another folder of the package. */
function fileOfFolder(names: PackageNames, folder: string): string | null {
  const manifest = names.manifestIn(folder);
  for (const field of ["module", "main"]) {
    const named = manifest?.[field];
    const path = typeof named === "string" ? joined(`${folder}/package.json`, named) : null;
    const file = path === null ? null : existing(names, path);
    if (file !== null) return file;
  }
  return null;
}

function browserMap(manifest: Manifest): Readonly<Record<string, unknown>> {
  const field = manifest["browser"];
  return typeof field === "object" && field !== null ? { __proto__: null, ...field } : {};
}

const firstFile = (names: PackageNames, targets: readonly string[]): string | null =>
  targets.map((target) => existing(names, withoutDot(target))).find((file) => file !== null) ?? null;

const endings = ["", ".mjs", ".js", ".cjs", ".json", "/index.mjs", "/index.js", "/index.cjs"];

const existing = ({ has }: PackageNames, path: string): string | null =>
  endings.map((ending) => (path + ending).replace(/\/{2,}/g, "/")).find(has) ?? null;

const withoutDot = (path: string): string => path.replace(/^\.?\//, "");

/** Null where it leads out of the package. */
function joined(from: string, specifier: string): string | null {
  const segments = from.split("/").slice(0, -1);
  for (const segment of specifier.split("/")) {
    if (segment === "." || segment === "") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join("/");
}

/** The library throws on a subpath that is not exported, and on manifests of wrong form. */
function attempt<Value>(resolve: () => Value): Value | null {
  try {
    return resolve();
  } catch {
    return null;
  }
}
