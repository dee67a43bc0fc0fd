// Makes drawings fit to stand in a document. They come from a browser that ran hostile text through mermaid, so each is
// taken as hostile itself: it is read as a tree, and only what the policy allows is written again.
import type { Element, Properties, Root } from "hast";
import { sanitize, type Schema } from "hast-util-sanitize";

import { escapeHtml } from "../escape-html.ts";
import { eachElement, readTree, TreeTooLarge, writeTree } from "../markdown/html-tree.ts";
import type { Drawing, MadeDrawing } from "./drawing.ts";

/**
 * The allowlist of SVG that may come out of a drawing (docs/reference/security.md §1, "Rendering"): shapes, text and what they refer to
 * within the drawing. No style sheet, script, handler, HTML, image or address of a resource.
 */
const TAGS =
  "svg g defs marker symbol use switch path rect circle ellipse line polyline polygon text tspan textPath title desc a " +
  "linearGradient radialGradient stop clipPath";

const keyword = /^[a-zA-Z][a-zA-Z -]{0,40}$/;
const length = /^(?:auto|[-+]?[\d.]{1,20}(?:e[-+]?\d{1,3})?(?:em|ex|px|pt|rem|%)?)$/;
const numbers = /^[\s\d.,eE+-]*$/;
const transform = /^\s*(?:(?:translate|rotate|scale|matrix|skewX|skewY)\([\s\d.,eE+-]*\)[\s,]*)+$/;
const colour = "#[\\da-f]{3,8}";
const reference = /^url\(#[^()"'\\<>\s]{1,200}\)$/;
const paint = [
  new RegExp(`^(?:none|transparent|${colour}|light-dark\\(${colour},${colour}\\))$`),
  /^(?:color|oklch|oklab|lch|lab)\([a-z\d.% /+-]{1,100}\)$/,
  reference,
];

type Definition = [string, ...RegExp[]];
const all = (names: string, ...allowed: RegExp[]): Definition[] => names.split(" ").map((name) => [name, ...allowed]);

const drawingPolicy: Schema = {
  tagNames: TAGS.split(" "),
  strip: ["script", "style", "foreignObject", "image", "iframe", "object", "embed"],
  attributes: {
    "*": [
      ...all(
        "x y width height rx ry r cx cy fx fy x1 y1 x2 y2 dx dy refX refY markerWidth markerHeight offset startOffset " +
          "textLength fontSize letterSpacing strokeWidth strokeDashOffset strokeMiterLimit opacity fillOpacity " +
          "strokeOpacity stopOpacity baselineShift",
        length,
      ),
      ...all("fill stroke stopColor", ...paint),
      ...all("markerStart markerMid markerEnd clipPath mask", /^none$/, reference),
      ...all(
        "strokeLineCap strokeLineJoin fillRule clipRule textAnchor dominantBaseline alignmentBaseline fontStyle visibility " +
          "paintOrder shapeRendering textDecoration markerUnits clipPathUnits gradientUnits spreadMethod lengthAdjust " +
          "preserveAspectRatio role",
        keyword,
      ),
      ...all("letterSpacing baselineShift", keyword),
      ["fontWeight", /^(?:[1-9]\d{0,3}|[a-z]{1,10})$/],
      ["fontFamily", /^[\w\s"',-]{1,200}$/],
      ["strokeDashArray", /^(?:none|[\d.]{1,20}%?)$/],
      ["d", /^[\sMLHVCSQTAZmlhvcsqtaz\d.,eE+-]*$/],
      ...all("points viewBox", numbers),
      ...all("transform gradientTransform", transform),
      ["orient", /^(?:auto|auto-start-reverse|-?[\d.]{1,20})$/],
      ["style", /^mix-blend-mode:multiply$/, /^max-width:[\d.]{1,12}px;min-width:[\d.]{1,12}px$/],
      ["xmlSpace", /^preserve$/],
      "id",
      "ariaLabel",
      "ariaLabelledBy",
      "ariaDescribedBy",
      ["ariaRoleDescription", /^[\w -]{1,60}$/],
    ],
    a: [["href", /^(?:https?:\/\/|mailto:)[^\s"'<>\\]{1,2048}$/i]],
    use: [["href", /^#[^()"'\\<>\s]{1,200}$/]],
    textPath: [["href", /^#[^()"'\\<>\s]{1,200}$/]],
  },
  protocols: {},
  clobber: [],
  allowComments: false,
  allowDoctypes: false,
};

/** Characters of one drawing, and of all of a document; readers' browsers draw what is beyond. */
const charactersMax = { one: 256 * 1024, all: 2 * 1024 * 1024 } as const;
const problemMax = 300;

/** In the order of what was made, each with identifiers that begin with its name. */
export function safeDrawings(made: readonly MadeDrawing[], names: readonly string[] = []): Drawing[] {
  let left: number = charactersMax.all;
  return made.map((one, index) => {
    if (one === null) return null;
    if ("problem" in one)
      return {
        caption: `<figcaption class="diagram-problem">${escapeHtml(one.problem.slice(0, problemMax))}</figcaption>`,
      };
    const svg = safeDrawing(one.svg, `d${names[index] ?? index}`);
    if (svg === null || svg.length > left) return null;
    left -= svg.length;
    return { svg };
  });
}

/** Null where something of it would be missing. `name` begins its identifiers. */
export function safeDrawing(svg: string, name: string): string | null {
  if (svg.length > charactersMax.one) return null;
  const tree = treeOf(svg);
  const [drawing] = tree?.children ?? [];
  if (tree === null || tree.children.length !== 1 || drawing?.type !== "element" || drawing.tagName !== "svg")
    return null;
  const safe = sanitize(tree, drawingPolicy) as Root;
  if (elementsIn(safe) !== elementsIn(tree)) return null;
  eachElement(safe, leadAway);
  renameIds(safe, name);
  const written = writeTree(safe);
  return written.length > charactersMax.one ? null : written;
}

function treeOf(svg: string): Root | null {
  try {
    return readTree(svg);
  } catch (error) {
    if (error instanceof TreeTooLarge) return null;
    throw error;
  }
}

function elementsIn(tree: Root): number {
  let count = 0;
  eachElement(tree, () => count++);
  return count;
}

/** As a link of the document's text to another site. */
function leadAway({ tagName, properties }: Element): void {
  if (tagName === "a" && properties["href"] !== undefined)
    Object.assign(properties, { target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] });
}

const references = ["fill", "stroke", "markerStart", "markerMid", "markerEnd", "clipPath", "mask"];
const lists = ["ariaLabelledBy", "ariaDescribedBy"];

/** Identifiers that are the drawing's own, for what refers to one; a reference that leads nowhere goes. */
function renameIds(tree: Root, name: string): void {
  const known = new Map<string, string>();
  eachElement(tree, ({ properties }) => {
    const { id } = properties;
    if (typeof id === "string" && !known.has(id)) known.set(id, `${name}-${known.size}`);
  });
  const used = new Set<string>();
  const renamed = (id: string): string | null => {
    const own = known.get(id) ?? null;
    if (own !== null) used.add(own);
    return own;
  };
  eachElement(tree, ({ tagName, properties }) => {
    for (const property of references) renameIn(properties, property, /^(url\(#)(.*)(\))$/, renamed);
    if (tagName !== "a") renameIn(properties, "href", /^(#)(.*)()$/, renamed);
    for (const property of lists) {
      const value = properties[property];
      const ids = (Array.isArray(value) ? value : String(value ?? "").split(/\s+/)).map((id) => renamed(String(id)));
      if (ids.length > 0 && ids.every((id) => id !== null)) properties[property] = ids;
      else delete properties[property];
    }
  });
  eachElement(tree, ({ properties }) => {
    const own = known.get(String(properties["id"]));
    if (own !== undefined && used.has(own)) properties["id"] = own;
    else delete properties["id"];
  });
}

function renameIn(
  properties: Properties,
  property: string,
  form: RegExp,
  renamed: (id: string) => string | null,
): void {
  const [, before = "", id, after = ""] = form.exec(String(properties[property] ?? "")) ?? [];
  if (id === undefined) return;
  const own = renamed(id);
  if (own === null) delete properties[property];
  else properties[property] = before + own + after;
}
