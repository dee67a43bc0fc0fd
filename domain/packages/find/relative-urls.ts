// Finds the relative imports and URLs in a package's file. Runs on hostile text: child processes only.
import { percentDecoded } from "@plinth/platform/malformed";

import { extensionOf } from "../media-types.ts";
import { scriptImports } from "./script-references.ts";
import { styleUrls } from "./style-references.ts";

export interface PackageText {
  readonly path: string;
  readonly text: string;
}

/** The paths, in the package, of the relative imports of a script or the relative URLs of a style. */
export function relativePaths({ path, text }: PackageText): string[] {
  const named =
    extensionOf(path) === "css"
      ? styleUrls(text).map(({ url }) => (/^[a-z]+:|^\//i.test(url) ? "" : `./${url}`))
      : importsOf(text);
  const base = new URL(path, "file:///");
  const found = named
    .filter((url) => /^\.{1,2}\//.test(url))
    .map((url) => URL.parse(url, base))
    .filter((url) => url !== null)
    .map(({ pathname }) => percentDecoded(pathname.slice(1)) ?? "");
  return inNewestFormat([...new Set(found)].filter((one) => one !== "" && one !== path));
}

/** Where a style names a font in several formats, the one that every browser takes: the others are never loaded. */
function inNewestFormat(paths: readonly string[]): string[] {
  const newest = new Set(paths.filter((path) => path.endsWith(".woff2")).map(withoutExtension));
  return paths.filter((path) => !/\.(?:woff|ttf|otf|eot|svg)$/.test(path) || !newest.has(withoutExtension(path)));
}

const withoutExtension = (path: string): string => path.replace(/\.\w+$/, "");

/** Most scripts for browsers parse as modules; what does not may still import dynamically. */
function importsOf(text: string): string[] {
  const imports = scriptImports(text, "module");
  return (imports.length > 0 ? imports : scriptImports(text, "script")).map(({ specifier }) => specifier);
}
