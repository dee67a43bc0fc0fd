// The URLs of an html document, by the tree that a browser builds of it, and those of its styles and scripts.
import { srcsetCandidates } from "@plinth/platform/srcset";
import { parse, parseFragment, type DefaultTreeAdapterTypes } from "parse5";

import { relativePath, type Reference, type ReferenceUse } from "./reference.ts";
import type * as script from "./script-references.ts";
import type * as style from "./style-references.ts";

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;
type Script = Pick<typeof script, "scriptReferences">;
type Style = Pick<typeof style, "styleReferences">;

interface HtmlReferences {
  readonly references: Reference[];
  /** The `href` of the first `<base>`, which all relative URLs of the document are resolved against. */
  readonly base: string | null;
}

/** Attributes with one URL that the page loads, by element. */
const loads: Readonly<Record<string, readonly string[]>> = {
  audio: ["src"],
  body: ["background"],
  embed: ["src"],
  feimage: ["href"],
  iframe: ["src"],
  image: ["href"],
  img: ["src"],
  input: ["src"],
  object: ["data"],
  script: ["src"],
  source: ["src"],
  table: ["background"],
  td: ["background"],
  track: ["src"],
  use: ["href"],
  video: ["src", "poster"],
};

/** Read by scripts that load images when they come into view. */
const lazy = ["data-src", "data-original", "data-poster"];

const loadingRelations = new Set(["stylesheet", "modulepreload", "preload", "icon", "apple-touch-icon", "mask-icon"]);

const scriptTypes = new Set(["", "module", "text/javascript", "application/javascript", "text/babel", "text/jsx"]);

/** What markdown keeps of the html in it. */
const inMarkdown = new Set(["a", "audio", "img", "picture", "source", "track", "video"]);

/** The references of a whole document, in the order of its source. */
export async function htmlReferences(html: string): Promise<HtmlReferences> {
  const elements = elementsOf(parse(html, { sourceCodeLocationInfo: true }));
  const base = elements.find(({ tagName, attrs }) => tagName === "base" && attrs.some(({ name }) => name === "href"));
  const script = elements.some(({ tagName }) => tagName === "script") ? await import("./script-references.ts") : null;
  const hasStyle = elements.some(({ tagName, attrs }) => tagName === "style" || attrs.some(isStyle));
  const style = hasStyle ? await import("./style-references.ts") : null;
  return {
    references: elements.flatMap((element) => [
      ...attributeReferences(element, lineOf(element, 1)),
      ...embeddedReferences(element, script, style),
    ]),
    base: base === undefined ? null : valueOf(base, "href"),
  };
}

/** The references of html in markdown, which keeps images, media and links alone. */
export const markdownHtmlReferences = (html: string, firstLine: number): Reference[] =>
  elementsOf(parseFragment(html, { sourceCodeLocationInfo: true }))
    .filter(({ tagName }) => inMarkdown.has(tagName))
    .flatMap((element) => attributeReferences(element, lineOf(element, firstLine)));

/** A list and no recursion: a hostile document nests as deep as it likes. */
function elementsOf(root: Node): Element[] {
  const found: Element[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("tagName" in node) found.push(node);
    if ("content" in node) waiting.push(node.content);
    if ("childNodes" in node) for (const child of node.childNodes.toReversed()) waiting.push(child);
  }
  return found;
}

function attributeReferences(element: Element, line: number): Reference[] {
  const tag = element.tagName.toLowerCase();
  const found: Reference[] = [];
  const add = (url: string | null, use: ReferenceUse): void => {
    if (url !== null && url.trim() !== "") found.push({ url, line, use, from: "file" });
  };
  if (tag === "a" || tag === "area") add(valueOf(element, "href"), "link");
  if (tag === "link" && relationsOf(element).some((relation) => loadingRelations.has(relation)))
    add(valueOf(element, "href"), "load");
  for (const name of Object.hasOwn(loads, tag) ? (loads[tag] ?? []) : []) add(valueOf(element, name), "load");
  for (const name of lazy) add(valueOf(element, name), "mention");
  if (tag === "img" || tag === "source" || tag === "link")
    for (const name of ["srcset", "imagesrcset", "data-srcset"])
      for (const { url } of srcsetCandidates(valueOf(element, name) ?? ""))
        add(url, name === "data-srcset" ? "mention" : "load");
  return found;
}

function embeddedReferences(element: Element, script: Script | null, style: Style | null): Reference[] {
  const ofStyles = element.attrs
    .filter(isStyle)
    .flatMap(({ value }) => style?.styleReferences(`x{${value}}`, lineOf(element, 1)) ?? []);
  const { line, text } = textOf(element);
  if (element.tagName === "style") return [...ofStyles, ...(style?.styleReferences(text, line) ?? [])];
  if (element.tagName !== "script" || valueOf(element, "src") !== null) return ofStyles;
  const type = (valueOf(element, "type") ?? "").trim().toLowerCase();
  if (type === "importmap") return [...ofStyles, ...importMapReferences(text, line)];
  if (!scriptTypes.has(type)) return ofStyles;
  const isJsx = type === "text/babel" || type === "text/jsx";
  return [...ofStyles, ...(script?.scriptReferences(text, isJsx ? "jsx" : "js", line) ?? [])];
}

/** A map that browsers cannot read counts as none. */
function importMapReferences(text: string, line: number): Reference[] {
  const found: Reference[] = [];
  try {
    JSON.parse(text, (_name, value: unknown) => {
      if (typeof value === "string" && relativePath(value) !== null && !value.endsWith("/"))
        found.push({ url: value, line, use: "load", from: "file" });
      return value;
    });
  } catch {
    return [];
  }
  return found;
}

const isStyle = ({ name, value }: { name: string; value: string }): boolean =>
  name === "style" && /url\(|image-set\(/i.test(value);

const valueOf = ({ attrs }: Element, name: string): string | null =>
  attrs.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? null;

const relationsOf = (element: Element): string[] => (valueOf(element, "rel") ?? "").toLowerCase().split(/\s+/);

const lineOf = ({ sourceCodeLocation }: Element, firstLine: number): number =>
  firstLine - 1 + (sourceCodeLocation?.startLine ?? 1);

/** The text of a style or script, and the line that it begins on. */
function textOf({ childNodes }: Element): { line: number; text: string } {
  const [first] = childNodes;
  return {
    line: first?.sourceCodeLocation?.startLine ?? 1,
    text: childNodes.map((node) => ("value" in node ? node.value : "")).join(""),
  };
}
