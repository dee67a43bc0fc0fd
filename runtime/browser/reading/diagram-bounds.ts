// Bounds of a diagram's source: layout runs where the page does and can't be interrupted, so it is bounded before. Its
// time grows with the square of what is laid out: a few seconds at these bounds, minutes at five times as much.

/** Characters of the source. */
const TEXT_MAX = 20_000;
/** Lines and statements; in a diagram of blocks, words: each is a block. */
const PARTS_MAX = 200;

/** What to say where a source is beyond the bounds; null where it may be drawn. */
export function tooMuch(source: string): string | null {
  if (source.length > TEXT_MAX) return `This diagram is too large to draw: it has more than ${TEXT_MAX} characters.`;
  const parts = source.split(/^\s*block\b/m.test(source) ? /\s+/ : /[\n;&]+/);
  const written = parts.filter((part) => part.trim() !== "").length;
  return written > PARTS_MAX ? `This diagram is too large to draw: it has more than ${PARTS_MAX} parts.` : null;
}
