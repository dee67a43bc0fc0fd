// The script that the worker's browser loads to draw diagrams: one function, which accepts a source within the bounds
// as data and returns a drawing.
import { drawDiagram } from "./diagram-drawing.ts";
import { NotPlain, plainDrawing } from "./plain-drawing.ts";

/** A drawing, or what to say in its place. */
type Drawn = { readonly svg: string } | { readonly problem: string };

/** As wide as the text of a document; only charts over time are laid out for it. */
const width = 860;

/** @throws Error where the drawing cannot be brought into a form for both schemes */
async function draw(source: string): Promise<Drawn> {
  const light = document.createElement("div");
  const dark = document.createElement("div");
  try {
    document.body.append(light, dark);
    const drawings = [await drawnIn(light, source, "light"), await drawnIn(dark, source, "dark")] as const;
    return { svg: plainDrawing(...drawings).outerHTML };
  } catch (error) {
    if (error instanceof NotPlain) throw error;
    return { problem: `This diagram could not be drawn: ${firstLine(error)}` };
  } finally {
    light.remove();
    dark.remove();
  }
}

/** By itself, since the style sheets of both schemes are for the same identifiers. */
async function drawnIn(host: HTMLElement, source: string, scheme: "light" | "dark"): Promise<SVGSVGElement> {
  const drawing = await drawDiagram(source, { scheme, width, name: "drawing" });
  // Some lines have the colour of the text around them (palette.css).
  host.style.cssText = `color-scheme: ${scheme}; color: var(--text)`;
  host.attachShadow({ mode: "open" }).append(drawing);
  return drawing;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.slice(0, 200) ?? "";

Object.assign(globalThis, { drawForBothSchemes: draw });
