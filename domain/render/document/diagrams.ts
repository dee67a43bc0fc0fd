// Diagrams in a rendered markdown document. A rendering is stored by its content alone and has the sources; the drawings
// of the worker's browser are stored beside it, and take their places when the document is served.

/** How a figure is written. An author's text has no `<` that is not escaped, and no attribute value has a quote. */
const figureStart = '<figure class="mermaid">';
const sourceStart = `${figureStart}<pre><code>`;
const sourceEnd = "</code></pre></figure>";

/** Characters of drawings in a document; the reader's browser draws the figures after that. */
const drawingsMax = 4 * 1024 * 1024;

export const hasDiagrams = (html: string): boolean => html.includes(sourceStart);

/** The sources of a rendering as they are written in it, in order. */
export const writtenSources = (html: string): string[] => figuresIn(html).flatMap(({ written }) => written ?? []);

/** What a source is stored under. */
export const diagramKey = (written: string): string =>
  new Bun.CryptoHasher("sha256").update(written).digest("hex").slice(0, 32);

/** The rendering with the drawing of each figure that has one, or why it could not be drawn. */
export function showDrawings(html: string, drawingOf: (key: string) => ShownDrawing | undefined): string {
  let left = drawingsMax;
  const figure = (written: string): string => {
    const drawing = drawingOf(diagramKey(written));
    const shown =
      drawing === undefined
        ? null
        : "svg" in drawing
          ? `${figureStart}${drawing.svg}</figure>`
          : `${sourceStart}${written}</code></pre>${drawing.caption}</figure>`;
    if (shown === null || shown.length > left) return sourceStart + written + sourceEnd;
    left -= shown.length;
    return shown;
  };
  return figuresIn(html)
    .map(({ written, after }) => (written === null ? "" : figure(written)) + after)
    .join("");
}

/** HTML of ours, or of the sanitizer. */
export type ShownDrawing = { readonly svg: string } | { readonly caption: string };

/** The text before the first figure has no source. */
function figuresIn(html: string): { readonly written: string | null; readonly after: string }[] {
  return html.split(sourceStart).map((part, index) => {
    if (index === 0) return { written: null, after: part };
    const end = part.indexOf(sourceEnd);
    return { written: part.slice(0, end), after: part.slice(end + sourceEnd.length) };
  });
}
