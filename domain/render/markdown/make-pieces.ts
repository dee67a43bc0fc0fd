// Makes pieces of a document: formulas by KaTeX, code by the highlighter. In a thread, because their text is hostile.
import { cpuClock } from "../cpu-clock.ts";
import { timeBudget } from "../time-budget.ts";
import { asWritten, leftBecause, type Piece, plainCode } from "./pieces.ts";

/** Of a block of code: what takes half a second. */
const MOST_CODE = { characters: 200_000, lines: 10_000 } as const;
/** Processor time for a block of code, for one that is made to be slow. */
const CODE_MS = 2_500;

/** Loads what the pieces need, which is not charged to their document. */
export async function preparePieces(pieces: readonly Piece[]): Promise<void> {
  const languages = new Set(pieces.map(({ language }) => language));
  const highlighter = [...languages].some((language) => language !== "") ? await loadHighlighter() : null;
  if (pieces.some(({ kind }) => kind !== "code")) await loadMath();
  for (const language of languages) if (language !== "") await highlighter?.prepareLanguage(language);
}

/** The HTML of the first of them, as far as they are made within so much processor time; at least of one. */
export async function makePieces(pieces: readonly Piece[], mostMs: number): Promise<string[]> {
  const end = cpuClock() + mostMs;
  const made: string[] = [];
  for (const piece of pieces) {
    made.push(await makePiece(piece));
    if (cpuClock() >= end) break;
  }
  return made;
}

// Loaded where needed: most documents have no formula, and many no code.
const loadMath = () => import("./math.ts");
const loadHighlighter = () => import("../source/highlighter.ts");

async function makePiece(piece: Piece): Promise<string> {
  const { kind, source, language } = piece;
  if (kind !== "code") return (await loadMath()).mathHtml(source, { display: kind === "display" });
  const { highlight, prepareLanguage } = await loadHighlighter();
  await prepareLanguage(language);
  const lines = source.split("\n");
  const budget = timeBudget(CODE_MS);
  const done = await highlight(lines, language, budget, MOST_CODE);
  // The last of them may have been cut short.
  if (done.length === lines.length && !budget.wasShort()) return done.join("\n");
  const why = budget.wasShort() ? leftBecause.slow : "It has more than 200,000 characters or 10,000 lines";
  if (done.length === 0) return asWritten(piece, why);
  return `${done.join("\n")}\n${plainCode(lines.slice(done.length).join("\n"), why)}`;
}
