// Colour, width and harmless text for one stream. What an artifact is called is hostile: it must not be able
// to drive a terminal.
import type { Io, OutputStream } from "../io.ts";

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export interface Style {
  readonly columns: number;
  readonly isTerminal: boolean;
  readonly paint: (colour: keyof typeof codes, text: string) => string;
}

/** The style of a stream: colours on a terminal, unless NO_COLOR or TERM=dumb say otherwise. */
export function styleOf(stream: Pick<OutputStream, "isTerminal" | "columns">, env: Io["env"]): Style {
  const coloured = stream.isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return {
    columns: stream.columns,
    isTerminal: stream.isTerminal,
    paint: (colour, text) => (coloured ? `\u001B[${codes[colour]}m${text}\u001B[0m` : text),
  };
}

/** Text on one line without control characters or marks that turn its direction. */
export const oneLine = (text: string): string => harmless(text).replaceAll(/\s+/g, " ").trim();

/** Text without control characters, but with its lines and tabs. */
export const harmless = (text: string): string => text.replaceAll(/[^\P{C}\n\t\u200D]/gu, "");

/** How many columns a terminal gives the text: wide characters take two, combining ones none. */
export function width(text: string): number {
  let columns = 0;
  for (const { segment } of segmentsOf(text)) columns += wide.test(segment) ? 2 : /^\p{M}+$/u.test(segment) ? 0 : 1;
  return columns;
}

// Made when text is measured, and not by a line that measures none.
let segmenter: Intl.Segmenter | null = null;
const segmentsOf = (text: string) =>
  (segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })).segment(text);
const wide =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]/u;

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
