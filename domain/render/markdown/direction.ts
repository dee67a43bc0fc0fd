// Text direction: in a document with letters that run from right to left, each block of the text decides by its first
// letter, as on GitHub. Other documents need no attribute.
import type { Element, Root } from "hast";
import { textOf } from "./html-tree.ts";
import { element } from "./tree-making.ts";

/** Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts of Unicode's right-to-left blocks. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const blocks = new Set("p h1 h2 h3 h4 h5 h6 ul ol dl blockquote table caption summary figcaption aside".split(" "));
/** Where they hold blocks, each of these decides for itself. */
const containers = new Set("div section details figure nav".split(" "));

export function leadDirections(tree: Root): void {
  if (rightToLeft.test(textOf(tree))) eachBlock(tree);
}

/** Blocks within a block follow it: with the attribute they would hide their text from it. */
function eachBlock({ children }: Root | Element): void {
  for (const child of children) {
    if (child.type !== "element" || child.properties["dir"] !== undefined) continue;
    const { tagName } = child;
    const holdsBlocks = child.children.some((inner) => inner.type === "element" && isBlock(inner));
    if (containers.has(tagName) && (holdsBlocks || tagName === "figure")) eachBlock(child);
    else if (isBlock(child)) decideByText(child);
  }
}

const isBlock = ({ tagName }: Element): boolean => blocks.has(tagName) || containers.has(tagName);

function decideByText(block: Element): void {
  block.properties["dir"] = "auto";
  const [title] = block.children;
  // An alert's title is of ours, in English: it follows the text.
  if (block.tagName === "aside" && title?.type === "element") title.children = [element("bdi", {}, title.children)];
}
