// The parts of a rendered markdown document that are shown as they were written, in sentences for its publisher: formulas and
// code with the reason that their title says, and diagrams that were not drawn.
import type { ShownDrawing } from "./diagrams.ts";

/** Sentences; the last says how many there are besides. */
const sentencesMax = 10;

/** No text of an author has a `<`, and no attribute a quote, that is not escaped. */
const left = /<(?:code class="(math-error)"|span class="plain-code") title="([^"]*)">/g;
const longDiagram = '<figure class="code" data-language="mermaid">';
const caption = /<figcaption class="diagram-problem">([^<]*)<\/figcaption>/;

const characters: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const unescaped = (html: string): string =>
  html.replaceAll(/&(?:lt|gt|quot|#39);/g, (one) => characters[one] ?? one).replaceAll("&amp;", "&");

/** Whether a document has any, beside its diagrams: most have none, and no thread is taken for them. */
export const mayShowAsWritten = (html: string): boolean =>
  ['class="math-error"', 'class="plain-code"', longDiagram].some((part) => html.includes(part));

export function shownAsWritten(html: string, drawings: readonly ShownDrawing[]): string[] {
  const counts = new Map<string, { readonly what: string; readonly why: string; count: number }>();
  const add = (what: string, why: string, count = 1): void => {
    const entry = counts.get(`${what} ${why}`) ?? { what, why, count: 0 };
    entry.count += count;
    counts.set(`${what} ${why}`, entry);
  };
  for (const [, formula, why = ""] of html.matchAll(left)) add(formula ? "formula" : "block of code", unescaped(why));
  const long = html.split(longDiagram).length - 1;
  if (long > 0) add("diagram", "It has too many characters to be drawn", long);
  for (const drawing of drawings) {
    const [, why] = ("caption" in drawing && caption.exec(drawing.caption)) || [];
    if (why !== undefined) add("diagram", unescaped(why));
  }
  const sentences = [...counts.values()].map(({ what, why, count }) => `${subject(what, count)} as written: ${why}`);
  const others = sentences.length - sentencesMax;
  return others > 0 ? [...sentences.slice(0, sentencesMax), `${others} more reasons`] : sentences;
}

const subject = (what: string, count: number): string => {
  if (count === 1) return `A ${what} is shown`;
  return `${count} ${what === "block of code" ? "blocks of code" : `${what}s`} are shown`;
};
