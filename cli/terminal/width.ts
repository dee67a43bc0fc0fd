// Measures the width of text on a terminal. Separate from style.ts, because the measuring library is slow to load.
import stringWidth from "string-width";

/** How many columns a terminal gives the text: wide characters take two, combining ones none. */
export const width = (text: string): number => stringWidth(text);

// Made when text is measured, and not by a line that measures none.
let segmenter: Intl.Segmenter | null = null;
const segmentsOf = (text: string) =>
  (segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })).segment(text);

/** The text cut to a number of columns, with an ellipsis where something is missing. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  for (const { segment } of segmentsOf(text)) {
    if (width(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
