// The URLs that an html document loads, by the tree that a browser builds of it. Runs on hostile text: child processes
// only. It says where each URL stands and judges none of them.
import { parse, type DefaultTreeAdapterTypes } from "parse5";

import { remoteUrl, type Place, type Reference, type ReferenceUse, type Span } from "../reference.ts";
import { byPrefix, mappedUrls, type MappedUrl } from "./import-map.ts";
import { scriptLoads } from "./script-loads.ts";
import { scriptImports } from "./script-references.ts";
import { styleUrls } from "./style-references.ts";

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

const javaScriptTypes = new Set(["", "text/javascript", "application/javascript", "text/ecmascript", "text/babel"]);
const linkUses: Readonly<Record<string, ReferenceUse>> = {
  stylesheet: "style",
  modulepreload: "module",
};
const preloadUses: Readonly<Record<string, ReferenceUse>> = { script: "script", style: "style", font: "asset" };

/** More are left as they are: each place is kept, and written for each reader. */
const placesMax = 5000;

/** In the order of the source. The same URL is found as often as it stands there. */
export function htmlReferences(html: string): Reference[] {
  const elements = loadingElements(html);
  const mapOf = (type: string): MappedUrl[] =>
    elements
      .filter((element) => isScript(element) && typeOf(element) === type)
      .flatMap((element) => {
        const text = textOf(html, element);
        return mappedUrls(text.value).map((mapped) => moved(mapped, text.start));
      });
  const map = mapOf("importmap");
  const found = [
    ...map.flatMap(({ url, start, end }) =>
      reference(url, url.endsWith("/") ? "prefix" : "module", { start, end, syntax: "string" }),
    ),
    // SystemJS loads scripts, whose names are known at run time alone.
    ...mapOf("systemjs-importmap").flatMap(({ url, start, end }) =>
      reference(url, url.endsWith("/") ? "folder" : "script", { start, end, syntax: "string" }),
    ),
    ...elements.flatMap((element) => ofElement(html, element, map)),
  ];
  return found.toSorted((one, other) => (one.place?.start ?? 0) - (other.place?.start ?? 0)).slice(0, placesMax);
}

function ofElement(html: string, element: Element, map: readonly MappedUrl[]): Reference[] {
  if (element.tagName === "style") return ofStyle(textOf(html, element));
  if (element.tagName === "link") return ofLink(element);
  const isModule = typeOf(element) === "module";
  if (!isModule && !javaScriptTypes.has(typeOf(element))) return [];
  if (attribute(element, "src") !== null) return ofAttribute(element, "src", isModule ? "module" : "script");
  const text = textOf(html, element);
  const kind = isModule ? "module" : "script";
  const placeOf = ({ start, end }: Span): Place => ({
    start: start + text.start,
    end: end + text.start,
    syntax: "string",
  });
  const imported = scriptImports(text.value, kind).flatMap((one) => {
    const mapped = byPrefix(one.specifier, map);
    if (mapped !== null) return reference(mapped, "module", null);
    return /^(?:https?:)?\/\//.test(one.specifier) ? reference(one.specifier, "module", placeOf(one)) : [];
  });
  const loaded = scriptLoads(text.value, kind).flatMap((one) =>
    reference(one.url, one.use, { ...placeOf(one), syntax: one.syntax }),
  );
  return [...imported, ...loaded];
}

const ofStyle = (text: SourceText): Reference[] =>
  styleUrls(text.value).flatMap(({ url, use, syntax, start, end }) =>
    reference(url, use, { start: start + text.start, end: end + text.start, syntax }),
  );

function ofLink(element: Element): Reference[] {
  const relations = (attribute(element, "rel") ?? "").toLowerCase().split(/\s+/);
  const use = relations.includes("preload")
    ? preloadUses[(attribute(element, "as") ?? "").toLowerCase()]
    : relations.map((relation) => linkUses[relation]).find((found) => found !== undefined);
  return use === undefined ? [] : ofAttribute(element, "href", use);
}

function ofAttribute(element: Element, name: string, use: ReferenceUse): Reference[] {
  const span = element.sourceCodeLocation?.attrs?.[name];
  if (span === undefined) return [];
  const place: Place = { start: span.startOffset, end: span.endOffset, syntax: "attribute" };
  const spans = {
    tag: spanOf(element.sourceCodeLocation?.startTag ?? element.sourceCodeLocation),
    integrity: spanOf(element.sourceCodeLocation?.attrs?.["integrity"]),
  };
  const known = Object.fromEntries(Object.entries(spans).filter(([, span]) => span !== null)) as Partial<Reference>;
  return reference(attribute(element, name) ?? "", use, place).map((one) => ({ ...one, ...known }));
}

const spanOf = (location: { startOffset: number; endOffset: number } | null | undefined): Span | null =>
  location ? { start: location.startOffset, end: location.endOffset } : null;

function reference(text: string, use: ReferenceUse, place: Place | null): Reference[] {
  const url = remoteUrl(text);
  return url === null ? [] : [{ url, use, place }];
}

/** Scripts, links and styles, those in templates included: they run where a script makes a copy of the template. */
function loadingElements(html: string): Element[] {
  const found: Element[] = [];
  // A list and no recursion: a hostile document nests as deep as it likes.
  const waiting: Node[] = [parse(html, { sourceCodeLocationInfo: true })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("tagName" in node && ["script", "link", "style"].includes(node.tagName)) found.push(node);
    if ("content" in node) waiting.push(node.content);
    if ("childNodes" in node) for (const child of node.childNodes.toReversed()) waiting.push(child);
  }
  return found;
}

export interface SourceText {
  readonly value: string;
  readonly start: number;
}

/** The text of a script or style as the source has it: the tree's has other line ends. */
export function textOf(html: string, element: Element): SourceText {
  const location = element.sourceCodeLocation;
  const start = location?.startTag?.endOffset ?? 0;
  const end = location?.endTag?.startOffset ?? location?.endOffset ?? start;
  return { value: html.slice(start, end), start };
}

const moved = (mapped: MappedUrl, by: number): MappedUrl => ({
  ...mapped,
  start: mapped.start + by,
  end: mapped.end + by,
});

const isScript = ({ tagName }: Element): boolean => tagName === "script";
const attribute = (element: Element, name: string): string | null =>
  element.attrs.find((one) => one.name === name)?.value ?? null;
const typeOf = (element: Element): string => (attribute(element, "type") ?? "").trim().toLowerCase();
