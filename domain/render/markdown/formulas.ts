// Places every formula, and shows every reference to an equation.
import type { Element, Root } from "hast";
import { languageOf } from "./code.ts";
import { type Equation, Equations } from "./equations.ts";
import { eachElement, textOf } from "./html-tree.ts";
import type { Pieces } from "./pieces.ts";
import { become, element, rawHtml, text } from "./tree-making.ts";

interface Place {
  /** What the formula takes the place of: its code, or the block of it. */
  readonly node: Element;
  readonly source: string;
  readonly kind: "block" | "display" | "inline" | "reference";
}

/** Makes each a place of a piece, and references what they are shown as. */
export function placeFormulas(tree: Root, pieces: Pieces): void {
  const places = placesIn(tree);
  if (places.length === 0) return;
  const equations = new Equations(
    places.map(({ source, kind }) => ({ source, isDisplay: kind === "block" || kind === "display" })),
  );
  for (const [index, { node, source, kind }] of places.entries()) {
    const equation = equations.equations[index] as Equation;
    const reference = equations.referenceOf(source);
    if (reference !== null) become(node, element("a", { href: reference.href }, [text(reference.text)]));
    else if (kind === "reference") become(node, text(source));
    else {
      const html = rawHtml(pieces.place(kind === "inline" ? "inline" : "display", equation.source.trim()));
      const properties = { className: ["math"], ...(equation.id !== null && { id: equation.id }) };
      // A paragraph cannot contain a block, but the formula still has its own line.
      become(node, kind === "inline" ? html : element(kind === "block" ? "div" : "span", properties, [html]));
    }
  }
}

/** In the order of the document. */
function placesIn(tree: Root): Place[] {
  const places: Place[] = [];
  eachElement(tree, (node) => {
    const [code] = node.children;
    if (node.tagName === "pre" && node.children.length === 1 && code?.type === "element") {
      // Its code was met just before.
      if (isMath(code)) {
        if (places.at(-1)?.node === code) places.pop();
        places.push({ node, source: textOf(code), kind: "block" });
      }
    } else if (isMath(node)) {
      const kind = (["display", "inline", "reference"] as const).find((one) => classesOf(node).includes(`math-${one}`));
      if (kind !== undefined) places.push({ node, source: textOf(node), kind });
    }
  });
  return places;
}

const isMath = (node: Element): boolean => node.tagName === "code" && languageOf(node) === "math";

function classesOf({ properties }: Element): readonly unknown[] {
  const classes = properties["className"];
  return Array.isArray(classes) ? classes : [];
}
