// Places code: blocks to highlight, diagrams for the reading script.
import type { Element, Root } from "hast";
import { eachElement, textOf } from "./html-tree.ts";
import type { Pieces } from "./pieces.ts";
import { become, element, rawHtml, text } from "./tree-making.ts";

/** Characters that the reading script would draw; a longer diagram is shown as code. */
const MAX_DIAGRAM = 50_000;

/** Makes every block of code what it is shown as, around the place of a piece where it is highlighted. */
export async function placeCode(tree: Root, pieces: Pieces): Promise<void> {
  const blocks: { pre: Element; code: Element }[] = [];
  eachElement(tree, (node) => {
    const [code] = node.children;
    if (node.tagName !== "pre" || node.children.length !== 1) return;
    if (code?.type === "element" && code.tagName === "code") blocks.push({ pre: node, code });
  });
  for (const { pre, code } of blocks) become(pre, await blockOf(code, languageOf(code), pieces));
}

/** The word after the fence, without what some write behind it: `ts{1,3}`, `js:app.js`. */
export function languageOf({ properties }: Element): string {
  const classes = Array.isArray(properties["className"]) ? properties["className"].map(String) : [];
  const given = classes.find((name) => name.startsWith("language-"))?.slice("language-".length) ?? "";
  return /^[\w+#.-]+/.exec(given)?.[0] ?? "";
}

async function blockOf(code: Element, language: string, pieces: Pieces): Promise<Element> {
  const source = textOf(code);
  if (language === "mermaid" && source.length <= MAX_DIAGRAM) {
    return element("figure", { className: ["mermaid"] }, [element("pre", {}, [element("code", {}, [text(source)])])]);
  }
  const highlighter = language === "" ? null : await import("../source/highlighter.ts");
  const isKnown = highlighter?.isHighlighted(language) ?? false;
  const content = isKnown ? rawHtml(pieces.place("code", source, language.toLowerCase())) : text(source);
  const pre = element("pre", { className: ["highlight"] }, [element("code", {}, [content])]);
  return element("figure", { className: ["code"], ...(isKnown && { dataLanguage: language }) }, [pre]);
}
