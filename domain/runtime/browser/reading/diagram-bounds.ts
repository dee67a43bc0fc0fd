// How much of a diagram is drawn: layout runs where the page does and can't be broken off, so it is bounded before.

/** Characters of the source. */
export const TEXT_MAX = 20_000;
/** Arrows of a flowchart, counted by mermaid itself. */
export const EDGES_MAX = 400;
/** Lines and statements. */
const STATEMENTS_MAX = 800;
/** Words and numbers: a row of blocks has many in one statement. */
const WORDS_MAX = 4_000;

/** What to say where a source is beyond the bounds; null where it may be drawn. */
export function tooMuch(source: string): string | null {
  if (source.length > TEXT_MAX) return `This diagram is too long to draw: it has more than ${TEXT_MAX} characters.`;
  const statements = source.split(/[\n;&]+/).length;
  if (statements > STATEMENTS_MAX)
    return `This diagram is too large to draw: it has more than ${STATEMENTS_MAX} parts.`;
  const words = source.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  if (words > WORDS_MAX) return `This diagram is too large to draw: it has more than ${WORDS_MAX} words.`;
  return null;
}
