// The imports of a script's text, by oxc's parser. May exhaust the native stack on hostile text: child processes only.
import { parseSync, Visitor, type Expression, type PrivateIdentifier } from "oxc-parser";

/** An import: what it names, and where the string literal stands in the script, quotes included. */
interface ScriptImport {
  readonly specifier: string;
  readonly start: number;
  readonly end: number;
}

type ScriptKind = "module" | "script";

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

/** A URL that a script gives to an element it makes. */
interface ScriptLoad {
  readonly url: string;
  /** `src` loads a script, as far as a package is concerned, and `href` a style. */
  readonly attribute: "src" | "href";
  readonly start: number;
  readonly end: number;
}

/** Plain strings that are assigned to `src` or `href`, by a property or `setAttribute`: how loaders are written. */
export function scriptLoads(text: string, kind: ScriptKind): ScriptLoad[] {
  if (!/\b(?:src|href)\b/.test(text) || !text.includes("//")) return [];
  const { program, errors } = parseSync("script.js", text, { sourceType: kind });
  if (errors.length > 0) return [];
  const found: ScriptLoad[] = [];
  const keep = (name: string | null, value: Expression | { readonly type: "SpreadElement" } | undefined) => {
    if ((name !== "src" && name !== "href") || value?.type !== "Literal" || typeof value.value !== "string") return;
    if (/^(?:https?:)?\/\//.test(value.value))
      found.push({ url: value.value, attribute: name, start: value.start, end: value.end });
  };
  new Visitor({
    AssignmentExpression({ operator, left, right }) {
      if (operator === "=" && left.type === "MemberExpression") keep(nameOf(left.property), right);
    },
    CallExpression({ callee, arguments: [name, value] }) {
      if (callee.type !== "MemberExpression" || nameOf(callee.property) !== "setAttribute") return;
      if (name?.type === "Literal" && typeof name.value === "string") keep(name.value, value);
    },
  }).visit(program);
  return found;
}

const nameOf = (property: Expression | PrivateIdentifier): string | null =>
  property.type === "Identifier"
    ? property.name
    : property.type === "Literal" && typeof property.value === "string"
      ? property.value
      : null;

/** `import type` and `import { type X }` leave nothing in the compiled code. */
const isLoaded = ({ entries }: { readonly entries: readonly { readonly isType: boolean }[] }): boolean =>
  entries.length === 0 || !entries.every(({ isType }) => isType);

/** The value of a literal without escapes or substitutions, as URLs are written. */
function plainString(literal: string): string | null {
  const [, , value] = /^(["'`])([^\\"'`$\n]*)\1$/.exec(literal) ?? [];
  return value ?? null;
}
