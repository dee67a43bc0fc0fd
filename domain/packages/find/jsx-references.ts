// The packages that a compiled jsx document imports, as references. Their URLs are `npm:name/path`, because the
// document names no CDN.
import type { PackageImport } from "../../render/jsx/package-imports.ts";
import type { Reference } from "../reference.ts";

export const npmUrl = (specifier: string): string => `npm:${specifier}`;

export const jsxReferences = (imports: readonly Pick<PackageImport, "specifier" | "use">[]): Reference[] =>
  imports.map(({ specifier, use }) => ({ url: npmUrl(specifier), use, place: null }));
