// HTML that others wrote into a tree and the tree into HTML, within bounds that keep every walk of it from
// exhausting the stack or the memory. Judges nothing: what is in the tree may be hostile.
import type { Element, Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { toHtml } from "hast-util-to-html";
import { defaultTreeAdapter, html, parseFragment } from "parse5";
import { PROJECT_MARK } from "../document/relative-links.ts";

/** How the mark is written; an author's `&` is never written so. */
const WRITTEN_MARK = "&#x0;";

/** Far deeper than a document is nested by hand, and little enough to be walked by recursion. */
const MAX_DEPTH = 500;
const MAX_ELEMENTS = 400_000;

/** The document asks for more than a tree of ours may hold. */
export class TreeTooLarge extends Error {
  override name = "TreeTooLarge";
}

/** Reads HTML as a browser reads what is inside a `div`. @throws TreeTooLarge */
export function readTree(source: string): Root {
  let depth = 0;
  let elements = 0;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement(...given) {
      if (++elements > MAX_ELEMENTS) throw new TreeTooLarge(`More than ${MAX_ELEMENTS} elements`);
      return defaultTreeAdapter.createElement(...given);
    },
    onItemPush() {
      if (++depth > MAX_DEPTH) throw new TreeTooLarge(`Elements nested deeper than ${MAX_DEPTH}`);
    },
    onItemPop() {
      depth--;
    },
  };
  const context = defaultTreeAdapter.createElement("div", html.NS.HTML, []);
  return fromParse5(parseFragment(context, source, { treeAdapter })) as Root;
}

/** The tree as HTML; only what `rawHtml` made is written as it is, and the mark of the project. */
export const writeTree = (tree: Root): string =>
  toHtml(tree, { allowDangerousHtml: true, characterReferences: { useNamedReferences: true } }).replaceAll(
    WRITTEN_MARK,
    PROJECT_MARK,
  );

/** Calls `visit` with each element after those inside it; `inside` are the names of those around it. */
export function eachElement(
  node: Root | Element,
  visit: (element: Element, inside: readonly string[]) => void,
  inside: string[] = [],
): void {
  for (const child of node.children) {
    if (child.type !== "element") continue;
    inside.push(child.tagName);
    eachElement(child, visit, inside);
    inside.pop();
    visit(child, inside);
  }
}

/** The text of a node, as a reader would copy it. */
export function textOf(node: Root | Element): string {
  let text = "";
  for (const child of node.children) {
    if (child.type === "text") text += child.value;
    else if (child.type === "element") text += textOf(child);
  }
  return text;
}
