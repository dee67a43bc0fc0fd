// Mermaid, set up for an untrusted document: strict, with settings that the document can't change, in our colours and
// typeface. Loaded only with a document that has a diagram.
import mermaid, { type MermaidConfig } from "mermaid";
import { diagramColours } from "./diagram-colours.ts";

/** Settings that a diagram can't change by directive or front matter. */
const LOCKED = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
  "dompurifyConfig",
  "htmlLabels",
  "layout",
  "elk",
  "theme",
  "themeVariables",
  "themeCSS",
  "darkMode",
  "fontFamily",
  "altFontFamily",
  "fontSize",
  "logLevel",
  "arrowMarkerAbsolute",
  "legacyMathML",
  "forceLegacyMathML",
  "deterministicIds",
  "deterministicIDSeed",
];

/** The interface's face (palette.css). */
const FACE = '"Geist", ui-sans-serif, system-ui, sans-serif';

/** Arrows of a flowchart, counted by mermaid itself: `A & B --> C & D` has four. The other bounds are looked at before. */
const EDGES_MAX = 150;

let drawn = 0;

/** A drawing scaled below this share of its natural size can't be read, so it scrolls instead. */
const SMALLEST = 0.75;

interface Drawing {
  readonly scheme: "light" | "dark";
  /** Room for it, in CSS pixels; a chart over time is laid out for it. */
  readonly width: number;
  /** With which its identifiers begin; another one for each drawing of a document unless given. */
  readonly name?: string;
}

/** The drawing of a source. @throws Error whose first line says what mermaid could not read */
export async function drawDiagram(
  source: string,
  { scheme, width, name = `diagram-${++drawn}` }: Drawing,
): Promise<SVGSVGElement> {
  // Mermaid measures its labels, so the faces of their letters have to be there.
  await document.fonts.load(`14px ${FACE}`, source);
  mermaid.initialize(settings(scheme, width));
  const { svg } = await mermaid.render(name, source);
  const drawing = document.createRange().createContextualFragment(svg).querySelector("svg");
  if (!drawing) throw new Error("nothing was drawn");
  drawing.style.minWidth = `${Math.floor(drawing.viewBox.baseVal.width * SMALLEST)}px`;
  return drawing;
}

function settings(scheme: Drawing["scheme"], width: number): MermaidConfig {
  return {
    startOnLoad: false,
    securityLevel: "strict",
    secure: LOCKED,
    maxEdges: EDGES_MAX,
    suppressErrorRendering: true,
    htmlLabels: false,
    // Labels of SVG text are not centred in nodes that are widened.
    flowchart: { htmlLabels: false, minNodeWidth: 0 },
    state: { minNodeWidth: 0 },
    gantt: { useWidth: Math.max(width, 860), fontSize: 12, sectionFontSize: 12 },
    sequence: { height: 44 },
    look: "classic",
    theme: "base",
    darkMode: scheme === "dark",
    themeVariables: { ...diagramColours(scheme), fontFamily: FACE, fontSize: "14px" },
    fontFamily: FACE,
    fontSize: 14,
    deterministicIds: true,
  };
}
