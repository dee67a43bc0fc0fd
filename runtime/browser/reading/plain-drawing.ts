// A drawing of mermaid's without its style sheet: what the sheet decides becomes attributes of the elements, and what
// differs between the schemes one attribute for both. The server can then allow attributes alone, and no style.

/** CSS properties that decide how a drawing looks and have an attribute, with their initial values as Chromium computes them. */
const INHERITED: Readonly<Record<string, string>> = {
  fill: "#000000",
  "fill-opacity": "1",
  "fill-rule": "nonzero",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-opacity": "1",
  "stroke-dasharray": "none",
  "stroke-dashoffset": "0px",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "stroke-miterlimit": "4",
  "marker-start": "none",
  "marker-mid": "none",
  "marker-end": "none",
  "text-anchor": "start",
  "font-family": "",
  "font-size": "",
  "font-style": "normal",
  "font-weight": "400",
  "letter-spacing": "normal",
  visibility: "visible",
  "paint-order": "normal",
  "shape-rendering": "auto",
};
const OWN: Readonly<Record<string, string>> = {
  opacity: "1",
  "dominant-baseline": "auto",
  "alignment-baseline": "auto",
  "baseline-shift": "0px",
  "text-decoration-line": "none",
  "stop-color": "#000000",
  "stop-opacity": "1",
  "clip-path": "none",
  mask: "none",
};
/** Properties whose attribute has another name. */
const ATTRIBUTE: Readonly<Record<string, string>> = { "text-decoration-line": "text-decoration" };

/** Attributes that say what an element is for the page's code, or are replaced. */
const DROPPED = /^(?:class|style|data-.*|tabindex|cursor|pointer-events|name|xmlns.*|label-offset-y|text-align)$/;

const SVG = "http://www.w3.org/2000/svg";

/** It has HTML in it, or more than colours differ between the schemes. */
export class NotPlain extends Error {}

/** An element in both schemes. */
interface Pair {
  readonly light: SVGElement;
  readonly dark: SVGElement;
}

/**
 * The drawing in both schemes as one. Both are shown in the document, each under its own style sheet.
 * @throws NotPlain
 */
export function plainDrawing(light: SVGSVGElement, dark: SVGSVGElement): SVGElement {
  const made = plainElement({ light, dark }, null);
  const { width, height } = light.viewBox.baseVal;
  if (made === null || !(width > 0 && height > 0)) throw new NotPlain("nothing is drawn");
  removeUnused(made);
  const most = light.style.maxWidth || `${width}px`;
  made.setAttribute("width", "100%");
  made.removeAttribute("height");
  made.setAttribute("style", `max-width:${most};min-width:${light.style.minWidth}`);
  return made;
}

/** Mermaid defines every arrow head that its kind of diagram has. */
function removeUnused(drawing: SVGElement): void {
  const used = new Set([...drawing.outerHTML.matchAll(/(?:url\(|href=")#([^")]+)/g)].map(([, id]) => id));
  for (const defined of drawing.querySelectorAll("marker, symbol, filter, clipPath, linearGradient")) {
    if (!used.has(defined.id)) defined.remove();
  }
  for (const empty of [...drawing.querySelectorAll("g, defs")].toReversed()) {
    if (empty.childElementCount === 0) empty.remove();
  }
}

type Values = Readonly<Record<string, string>>;

function plainElement({ light, dark }: Pair, around: Values | null): SVGElement | null {
  if (light.localName !== dark.localName) throw new NotPlain("the schemes have different elements");
  const [styles, others] = [getComputedStyle(light), getComputedStyle(dark)];
  if (styles.display === "none") return null;
  const made = document.createElementNS(SVG, light.localName);
  copyAttributes(light, made);
  const values: Record<string, string> = {};
  const set = (property: string, initial: string | undefined) => {
    const value = inBoth(property, styles.getPropertyValue(property), others.getPropertyValue(property));
    values[property] = value;
    const attribute = ATTRIBUTE[property] ?? property;
    made.removeAttribute(attribute);
    if (value !== initial) made.setAttribute(attribute, written(value));
  };
  for (const [property, initial] of Object.entries(INHERITED)) set(property, around?.[property] ?? initial);
  for (const [property, initial] of Object.entries(OWN)) set(property, initial);
  if (styles.mixBlendMode !== "normal") made.setAttribute("style", `mix-blend-mode:${styles.mixBlendMode}`);
  if (styles.transform !== "none" && (light.style.transform !== "" || !light.hasAttribute("transform")))
    made.setAttribute("transform", aroundOrigin(styles));
  addChildren({ light, dark }, made, values);
  return made;
}

function addChildren({ light, dark }: Pair, made: SVGElement, values: Values): void {
  const [children, others] = [shownIn(light), shownIn(dark)];
  if (children.length !== others.length) throw new NotPlain("the schemes have different elements");
  children.forEach((child, index) => {
    const other = others[index];
    if (child instanceof SVGElement && other instanceof SVGElement) {
      const plain = plainElement({ light: child, dark: other }, values);
      if (plain !== null) made.append(plain);
    } else if (child instanceof Text) made.append(child.data);
    else throw new NotPlain("the drawing has HTML in it");
  });
}

/** A transformation that a style decides, whose origin has no attribute in every browser. */
function aroundOrigin({ transform, transformOrigin }: CSSStyleDeclaration): string {
  const [x = 0, y = 0] = transformOrigin.split(" ").map(Number.parseFloat);
  return shortened("transform", `translate(${x},${y}) ${transform} translate(${-x},${-y})`);
}

/** Nodes that are drawn: of a choice between HTML and SVG the SVG. */
function shownIn(element: SVGElement): Node[] {
  const nodes = [...element.childNodes].filter(
    (node) => node instanceof Text || (node instanceof Element && node.localName !== "style"),
  );
  const isHtml = (node: Node): boolean => node instanceof SVGElement && node.localName === "foreignObject";
  if (element.localName === "switch")
    return nodes.filter((node) => node instanceof Element && !isHtml(node)).slice(0, 1);
  if (nodes.some((node) => isHtml(node) && node.textContent?.trim() !== ""))
    throw new NotPlain("the drawing has HTML in it");
  return nodes.filter((node) => !isHtml(node));
}

function copyAttributes(from: SVGElement, to: SVGElement): void {
  for (const { name, value } of from.attributes) {
    if (DROPPED.test(name)) continue;
    to.setAttribute(name === "xlink:href" ? "href" : name, shortened(name, value));
  }
}

/** Decimals beyond a hundredth of a pixel show nothing. */
const shortened = (name: string, value: string): string =>
  /^(?:id|href|xlink:href|aria-.*|role)$/.test(name) ? value : value.replaceAll(/(\.\d\d)\d+/g, "$1");

function inBoth(property: string, light: string, dark: string): string {
  const [one, other] = [colour(light), colour(dark)];
  if (one === other) return one;
  // Elements of the same places, with other numbers in their identifiers.
  if (one.startsWith("url(") && other.startsWith("url(")) return one;
  if (!one.startsWith("#") || !other.startsWith("#")) throw new NotPlain(`the schemes have another ${property}`);
  return `light-dark(${one},${other})`;
}

/** A colour as it is shortest, another value as it is. */
function colour(value: string): string {
  const [, red, green, blue, alpha] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(value) ?? [];
  if (red === undefined) return value;
  const parts = [red, green, blue].map(Number);
  if (alpha !== undefined) parts.push(Math.round(Number(alpha) * 255));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Without a unit where SVG needs none, and a reference without quotes. */
const written = (value: string): string =>
  value
    .replaceAll(/(\d)px\b/g, "$1")
    .replace(/^url\("?(#[^")]*)"?\)$/, "url($1)")
    .replaceAll(/(\.\d\d)\d+/g, "$1");
