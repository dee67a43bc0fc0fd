// The imports of a script's text, by oxc's parser. May exhaust the native stack on hostile text: child processes only.
import { parseSync } from "oxc-parser";

/** An import: what it names, and where the string literal stands in the script, quotes included. */
interface ScriptImport {
  readonly specifier: string;
  readonly start: number;
  readonly end: number;
}

export type ScriptKind = "module" | "script";

/** Static imports and re-exports, and dynamic imports of a plain string; none of a script that does not parse. */
export function scriptImports(text: string, kind: ScriptKind, file = "script.js"): ScriptImport[] {
  // Most scripts import nothing, and some are megabytes.
  if (!text.includes("import") && !text.includes("export")) return [];
  const parsed = parseSync(file, text, { sourceType: kind });
  if (parsed.errors.length > 0) return [];
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const requests = [
    ...staticImports.filter(isLoaded).map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
  ].map(({ value, start, end }) => ({ specifier: value, start, end }));
  const dynamic = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const specifier = plainString(text.slice(start, end));
    return specifier === null ? [] : [{ specifier, start, end }];
  });
  const byPlace = new Map([...requests, ...dynamic].map((found) => [found.start, found]));
  return [...byPlace.values()].toSorted((one, other) => one.start - other.start);
}

/** `import type` and `import { type X }` leave nothing in the compiled code. */
const isLoaded = ({ entries }: { readonly entries: readonly { readonly isType: boolean }[] }): boolean =>
  entries.length === 0 || !entries.every(({ isType }) => isType);

/** The value of a literal without escapes or substitutions, as URLs are written. */
function plainString(literal: string): string | null {
  const [, , value] = /^(["'`])([^\\"'`$\n]*)\1$/.exec(literal) ?? [];
  return value ?? null;
}
