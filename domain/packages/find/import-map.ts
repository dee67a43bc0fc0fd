// Import maps: their URLs with their places, and what a bare import of the document means by them
// (html.spec.whatwg.org, 8.1.6.2).
import { parseSync } from "oxc-parser";
import { parsedJson } from "@plinth/platform/malformed";

export interface MappedUrl {
  readonly key: string;
  readonly url: string;
  /** Of the string literal in the map's text, quotes included. */
  readonly start: number;
  readonly end: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface Property {
  readonly key: Node & { readonly value?: unknown };
  readonly value: Node & { readonly value?: unknown; readonly properties?: readonly Property[] };
}

const before = "(";

/** The addresses of `imports` and `scopes`; none where the text is no JSON object, which browsers ignore too. */
export function mappedUrls(text: string): MappedUrl[] {
  if (parsedJson(text) === undefined) return [];
  const { program, errors } = parseSync("map.js", `${before}${text})`, { sourceType: "script", preserveParens: false });
  const [statement] = program.body;
  if (errors.length > 0 || statement?.type !== "ExpressionStatement") return [];
  const map = statement.expression as unknown as Property["value"];
  return (map.properties ?? []).flatMap(({ key, value }) => {
    if (key.value === "imports") return addresses(value);
    return key.value === "scopes" ? (value.properties ?? []).flatMap((scope) => addresses(scope.value)) : [];
  });
}

const addresses = ({ properties = [] }: Property["value"]): MappedUrl[] =>
  properties.flatMap(({ key, value }) =>
    typeof key.value === "string" && typeof value.value === "string"
      ? [{ key: key.value, url: value.value, start: value.start - before.length, end: value.end - before.length }]
      : [],
  );

/** The URL that the map gives a specifier by its longest key that ends in a slash; null for an exact key or none. */
export function byPrefix(specifier: string, map: readonly MappedUrl[]): string | null {
  if (map.some(({ key }) => key === specifier)) return null;
  const [longest] = map
    .filter(({ key }) => key.endsWith("/") && specifier.startsWith(key))
    .toSorted((one, other) => other.key.length - one.key.length);
  return longest === undefined ? null : longest.url + specifier.slice(longest.key.length);
}
