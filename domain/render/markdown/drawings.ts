// Shows an author's svg as an image: in a data URL nothing of it runs, loads or reaches the document. What can hold
// scripts or HTML is taken out besides.
import type { Element, Root } from "hast";
import { sanitize, type Schema } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { svg } from "property-information";
import { percentDecoded } from "@plinth/platform/malformed";
import { eachElement, readTree } from "./html-tree.ts";
import { become, element } from "./tree-making.ts";

const TAGS =
  "svg g defs symbol use switch view title desc metadata path rect circle ellipse line polyline polygon text tspan " +
  "textPath linearGradient radialGradient stop pattern clipPath mask marker image filter feBlend feColorMatrix " +
  "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow " +
  "feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset " +
  "fePointLight feSpecularLighting feSpotLight feTile feTurbulence animate animateMotion animateTransform mpath set";

const policy: Schema = {
  tagNames: TAGS.split(" "),
  strip: ["script", "style", "foreignObject"],
  attributes: { "*": Object.keys(svg.property).filter((name) => !/^on[A-Z]/.test(name)) },
};
/** A part of the drawing, or an image in it. */
const reference = /^(?:#|data:image\/(?:png|jpeg|gif|webp|avif)[;,])/i;

/** `currentColor` is the colour of the text, in both schemes. */
const COLOURS = "color-scheme:light dark;color:light-dark(#1b1a17,#efede7);";

const shapes = new Set("path rect circle ellipse line polyline polygon text image use".split(" "));

/** Makes every drawing of a tree that nothing has been taken out of an image, and every svg in a data URL a safe one. */
export function placeDrawings(tree: Root): void {
  eachElement(tree, (node, inside) => {
    if (node.tagName === "svg" && !inside.includes("svg") && isDrawing(node)) become(node, image(node));
    else if (node.tagName === "img") withSafeSource(node);
  });
}

/** Whether an svg draws something: the text of one that does not, as of a tag in prose, would be lost in an image. */
function isDrawing(drawing: Element): boolean {
  let draws = false;
  eachElement(drawing, ({ tagName }) => (draws ||= shapes.has(tagName)));
  return draws;
}

function image(drawing: Element): Element {
  const { width, height, ariaLabel } = drawing.properties;
  const size = { width: pixels(width), height: pixels(height) };
  return element("img", { src: dataUrl(drawing), alt: typeof ariaLabel === "string" ? ariaLabel : "", ...size });
}

const pixels = (length: unknown): number | undefined => {
  const [, number] = /^\s*(\d{1,5}(?:\.\d+)?)(?:px)?\s*$/.exec(String(length)) ?? [];
  return number === undefined ? undefined : Number(number);
};

function dataUrl(drawing: Element): string {
  const safe = sanitize({ type: "root", children: [drawing] }, policy) as Root;
  eachElement(safe, ({ properties }) => {
    for (const name of ["href", "xLinkHref", "src"]) {
      if (!reference.test(String(properties[name]))) delete properties[name];
    }
  });
  for (const child of safe.children) {
    if (child.type !== "element") continue;
    const { style } = child.properties;
    Object.assign(child.properties, {
      style: COLOURS + (typeof style === "string" ? style : ""),
      xmlns: "http://www.w3.org/2000/svg",
      xmlnsXLink: "http://www.w3.org/1999/xlink",
    });
  }
  const written = toHtml(safe, {
    space: "svg",
    closeEmptyElements: true,
    characterReferences: { useNamedReferences: false },
  });
  return `data:image/svg+xml,${encodeURIComponent(written)}`;
}

const svgSource = /^\s*data:image\/svg\+xml[^,]*?(;base64)?,(.*)$/is;

function withSafeSource({ properties }: Element): void {
  const { src } = properties;
  const [, base64, data] = (typeof src === "string" && svgSource.exec(src)) || [];
  if (data === undefined) return;
  const tree = readTree(textOf(data, base64 !== undefined));
  const drawing = tree.children.find((child): child is Element => child.type === "element" && child.tagName === "svg");
  if (drawing) properties["src"] = dataUrl(drawing);
  else delete properties["src"];
}

/** What a data URL holds; "" where it isn't written as it says. */
function textOf(data: string, isBase64: boolean): string {
  const text = percentDecoded(data) ?? "";
  return isBase64 ? Buffer.from(text, "base64").toString() : text;
}
