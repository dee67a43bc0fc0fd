// The packages that a jsx document imports by bare names, by oxc's parser. Runs on hostile text: child processes only.
import { scriptImports } from "./script-references.ts";

/** Sorted, each once; files, aliases (`@/…`), URLs and `node:` names are no packages. */
export function jsxPackages(source: string): string[] {
  const imports = scriptImports(source, "module", "document.tsx").map(({ specifier }) => specifier);
  return [...new Set(imports.filter(isBare))].toSorted();
}

const isBare = (specifier: string): boolean => /^(?:@[a-z\d][\w.~-]*\/)?[a-z\d][\w.~-]*(?:\/|$)/i.test(specifier);
