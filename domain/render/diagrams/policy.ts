// The allowlist of SVG that may come out of a drawing (docs/reference/security.md §1, "Rendering"): shapes, text and what they refer to
// within the drawing. No style sheet, script, handler, HTML, image or address of a resource.
import type { Schema } from "hast-util-sanitize";

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

export const drawingPolicy: Schema = {
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
