// The files that an html document loads from beside itself, by relative URLs. They were not published with it. Runs on
// hostile text: child processes only.
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { percentDecoded } from "@plinth/platform/malformed";

import type { Reference } from "../reference.ts";
import { scriptImports } from "./script-references.ts";
import { styleUrls } from "./style-references.ts";

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Enough to say what kind of document it is. */
const most = 50;
const longest = 255;

const attributes: Readonly<Record<string, readonly string[]>> = {
  audio: ["src"],
  img: ["src"],
  input: ["src"],
  link: ["href"],
  script: ["src"],
  source: ["src"],
  track: ["src"],
  video: ["src", "poster"],
};
const loadingRelations = new Set(["stylesheet", "modulepreload", "preload", "icon"]);

/** In the order of the source, each once. */
export function filesBeside(html: string): Reference[] {
  const found = new Set<string>();
  // A list and no recursion: a hostile document nests as deep as it likes.
  const waiting: Node[] = [parse(html)];
  for (let node = waiting.pop(); node !== undefined && found.size < most; node = waiting.pop()) {
    if ("tagName" in node) for (const url of urlsOf(node)) addPath(url, found);
    if ("childNodes" in node) for (const child of node.childNodes.toReversed()) waiting.push(child);
  }
  return [...found].slice(0, most).map((url) => ({ url, use: "file", place: null }));
}

function urlsOf(element: Element): string[] {
  const { tagName, attrs } = element;
  const valueOf = (name: string) => attrs.find((one) => one.name === name)?.value ?? "";
  if (tagName === "style") return styleUrls(textOf(element)).map(({ url }) => url);
  if (
    tagName === "link" &&
    !valueOf("rel")
      .toLowerCase()
      .split(/\s+/)
      .some((relation) => loadingRelations.has(relation))
  )
    return [];
  const named = (Object.hasOwn(attributes, tagName) ? (attributes[tagName] ?? []) : []).map(valueOf);
  if (tagName !== "script" || valueOf("type").trim().toLowerCase() !== "module") return named;
  const imports = scriptImports(textOf(element), "module").map(({ specifier }) => specifier);
  // Others are names of an import map.
  return [...named, ...imports.filter((specifier) => /^\.{1,2}\//.test(specifier))];
}

const textOf = ({ childNodes }: Element): string =>
  childNodes.map((node) => ("value" in node ? node.value : "")).join("");

function addPath(url: string, found: Set<string>): void {
  const path = url
    .trim()
    .replace(/[?#][\s\S]*$/, "")
    .replace(/^(?:\.\/)+/, "");
  // A scheme, a place on a site, or a template that is not filled in.
  if (path === "" || path.length > longest || /^[a-z][a-z\d+.-]*:|^[/\\]|[{}<>]|\p{Cc}/iu.test(path)) return;
  const text = percentDecoded(path) ?? path;
  found.add(/\p{Cc}/u.test(text) ? path : text);
}
