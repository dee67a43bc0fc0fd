// Mermaid, set up for a document nobody vouches for: strict, locked against what the document says of itself, in our
// colours and face. Loaded only with a document that has a diagram.
import mermaid, { type MermaidConfig } from "mermaid";
import { EDGES_MAX, TEXT_MAX } from "./diagram-bounds.ts";
import { diagramColours } from "./diagram-colours.ts";

/** What a diagram may not set for itself, by directive or front matter. */
const LOCKED = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
  "dompurifyConfig",
  "htmlLabels",
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
const FACE = '"Geist Variable", ui-sans-serif, system-ui, sans-serif';

let drawn = 0;

/** The drawing of a source. @throws Error whose first line says what mermaid could not read */
export async function drawDiagram(source: string, scheme: "light" | "dark"): Promise<SVGElement> {
  // Mermaid measures its labels, so their face has to be there.
  await document.fonts.load(`14px ${FACE}`);
  mermaid.initialize(settings(scheme));
  drawn += 1;
  const { svg } = await mermaid.render(`diagram-${drawn}`, source);
  const parsed = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
  if (!parsed) throw new Error("nothing was drawn");
  return document.importNode(parsed, true);
}

function settings(scheme: "light" | "dark"): MermaidConfig {
  return {
    startOnLoad: false,
    securityLevel: "strict",
    secure: LOCKED,
    maxTextSize: TEXT_MAX,
    maxEdges: EDGES_MAX,
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: "base",
    darkMode: scheme === "dark",
    themeVariables: { ...diagramColours(scheme), fontFamily: FACE, fontSize: "14px" },
    fontFamily: FACE,
    deterministicIds: true,
  };
}
