// Recognizes the imports of a jsx document that are npm packages and that the runtime lacks: they are kept with the
// version (docs/architecture/packages.md).
import { builtinModules } from "node:module";

import { IMPORTABLE } from "@plinth/runtime/jsx-modules";
import { ALIASES, isImportable } from "@plinth/runtime/module-aliases";
import { runtimeVersion } from "@plinth/runtime/package-versions";

/** An import of a package, and its place in the source, counted from 1. */
export interface PackageImport {
  /** As it is written: a package's name, or one with a path. */
  readonly specifier: string;
  /** A style is imported for its effect alone. */
  readonly use: "module" | "style";
  /** The path of the file beside the document that imports it; missing of the document. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** Distinct packages and paths that one document may import. */
export const mostPackageImports = 50;

/** npm's bound of names, and of paths as packages keep them. */
const longest = 214 + 255;
const bare = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*(?=\/|$)/i;
const browserless = new Set(builtinModules);
/** A second copy of them could not render what the first made. */
const onlyOnce = new Set(["react", "react-dom"]);
const rootsOfRuntime = new Set([...IMPORTABLE, ...Object.values(ALIASES).flat()].flatMap((name) => rootOf(name) ?? []));

/** The package's name of a bare import; null for a file, a URL, or one of the author's own aliases. */
export function rootOf(specifier: string): string | null {
  return specifier.length > longest ? null : (bare.exec(specifier)?.[0] ?? null);
}

export const isOfNode = (specifier: string): boolean =>
  specifier.startsWith("node:") || browserless.has(rootOf(specifier) ?? "");

/** A module of the runtime is none. What else a package of the runtime has is one, in the runtime's version. */
export function isPackageImport(specifier: string): boolean {
  const root = rootOf(specifier);
  if (
    root === null ||
    root.startsWith("@plinth/") ||
    isImportable(specifier) ||
    isOfNode(specifier) ||
    onlyOnce.has(root)
  )
    return false;
  return !rootsOfRuntime.has(root) || runtimeVersion(root) !== null;
}

/** A style's file, a style by the name that packages export it by (`swiper/css/navigation`), or a package of fonts. */
export const isStyleImport = (specifier: string): boolean =>
  (/\.css$|\/css(?:\/|$)/i.test(specifier) || /^@fontsource(?:-variable)?\/[^/]+$/.test(specifier)) &&
  isPackageImport(specifier);
