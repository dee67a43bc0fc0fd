// The URLs of packages that a script has as texts: what it gives to elements that it makes, to loaders, and to libraries that
// load more. May exhaust the native stack on hostile text: child processes only.
import { parseSync, Visitor, type Expression, type ObjectExpression, type PrivateIdentifier } from "oxc-parser";

import { mapUrl } from "../cdn/map-url.ts";
import { remoteUrl, type Place, type ReferenceUse } from "../reference.ts";
import type { ScriptKind } from "./script-references.ts";

interface ScriptLoad extends Place {
  readonly url: string;
  readonly use: ReferenceUse;
}

const isRemote = (text: string): boolean => /^(?:https?:)?\/\/[\w.-]+/.test(text);

/** What ends like a style sheet is one; a slash at the end is a folder that the script completes. */
function useOf(url: string): ReferenceUse {
  const { pathname = "" } = URL.parse(url, "https://document.invalid/") ?? {};
  return /\.css$/i.test(pathname) ? "style" : pathname.endsWith("/") ? "folder" : "script";
}

/**
 * A URL that is assigned to `src` or `href` counts in any case, so that it is named where it is no package's. Of all other strings
 * only those that are a URL of a package: most URLs of a script are data. None of a script that does not parse.
 */
export function scriptLoads(text: string, kind: ScriptKind): ScriptLoad[] {
  // Most scripts have none, and some are megabytes.
  if (!/["'`](?:https?:)?\/\/[\w.-]/.test(text)) return [];
  const { program, errors } = parseSync("script.js", text, { sourceType: kind });
  if (errors.length > 0) return [];
  const found: ScriptLoad[] = [];
  const taken = new Set<number>();
  const prefixes = new Map<string, string>();
  const keep = (name: string | null, value: Expression | { readonly type: "SpreadElement" } | undefined) => {
    if ((name !== "src" && name !== "href") || value?.type !== "Literal" || typeof value.value !== "string") return;
    if (!isRemote(value.value)) return;
    taken.add(value.start);
    found.push({ url: value.value, use: name === "src" ? "script" : "style", ...placeOf(value, "string") });
  };
  const keepPackage = (url: string, use: ReferenceUse, place: Place): void => {
    const remote = remoteUrl(url);
    const mapping = remote === null ? null : mapUrl(remote, use);
    if (mapping !== null && mapping.length > 0) found.push({ url, use, ...place });
  };
  const keepPaths = (paths: ObjectExpression): void => {
    for (const property of paths.properties) {
      if (property.type !== "Property") continue;
      const name = nameOf(property.key);
      const values = property.value.type === "ArrayExpression" ? property.value.elements : [property.value];
      for (const value of values) {
        if (value?.type !== "Literal" || typeof value.value !== "string" || !isRemote(value.value)) continue;
        taken.add(value.start);
        // SystemJS has prefixes among its paths: `npm:` of `npm:name/file.js`.
        if (name !== null && /[:/]$/.test(name) && value.value.endsWith("/")) prefixes.set(name, value.value);
        else if (/[?]/.test(value.value)) keepPackage(value.value, "script", placeOf(value, "string"));
        else keepPackage(value.value, "amd", placeOf(value, "amd"));
      }
    }
  };
  const texts: { readonly value: string; readonly start: number; readonly end: number }[] = [];
  const named = ({ source }: { readonly source: { readonly start: number } | null }): void => {
    // Imports are found by their own (script-references.ts).
    if (source !== null) taken.add(source.start);
  };
  new Visitor({
    ImportDeclaration: named,
    ExportNamedDeclaration: named,
    ExportAllDeclaration: named,
    ImportExpression: named,
    AssignmentExpression({ operator, left, right }) {
      if (operator === "=" && left.type === "MemberExpression") keep(nameOf(left.property), right);
    },
    CallExpression({ callee, arguments: [name, value] }) {
      if (callee.type !== "MemberExpression" || nameOf(callee.property) !== "setAttribute") return;
      if (name?.type === "Literal" && typeof name.value === "string" && value?.type !== "SpreadElement")
        keep(name.value, value);
    },
    Property({ key, value }) {
      taken.add(key.start);
      if (value.type === "ObjectExpression" && "name" in key && key.name === "paths") keepPaths(value);
    },
    Literal({ value, start, end }) {
      if (typeof value === "string" && !taken.has(start)) texts.push({ value, start, end });
    },
    TemplateLiteral({ quasis: [first], expressions, start, end }) {
      const url = first?.value.cooked ?? "";
      if (taken.has(start) || !isRemote(url) || first === undefined) return;
      if (expressions.length === 0) return keepPackage(url, useOf(url), { start, end, syntax: "string" });
      // Up to its last slash, which its name or the script's own values follow.
      const folder = url.slice(0, url.lastIndexOf("/") + 1);
      if (first.value.raw !== url || !/^(?:https?:)?\/\/[^/]+\/./.test(folder)) return;
      keepPackage(folder, "folder", { start: start + 1, end: start + 1 + folder.length, syntax: "template" });
    },
  }).visit(program);
  for (const { value, start, end } of texts) {
    const prefix = [...prefixes].find(([name]) => value.startsWith(name));
    const url = prefix === undefined ? value : prefix[1] + value.slice(prefix[0].length);
    if (isRemote(url) && !/\s/.test(url)) keepPackage(url, useOf(url), { start, end, syntax: "string" });
  }
  return found.toSorted((one, other) => one.start - other.start);
}

const placeOf = ({ start, end }: { readonly start: number; readonly end: number }, syntax: Place["syntax"]): Place => ({
  start,
  end,
  syntax,
});

const nameOf = (property: Expression | PrivateIdentifier): string | null =>
  property.type === "Identifier"
    ? property.name
    : property.type === "Literal" && typeof property.value === "string"
      ? property.value
      : null;
