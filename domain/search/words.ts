// The words of a text, the same for what is searched and for what is searched for. Read here and not by PostgreSQL's
// parser, which takes `bar.baz` and a whole sentence of Japanese for one word each and lower-cases as the database's
// locale does. No language is presumed: nothing is stemmed or left out.
import { folded } from "./fold.ts";

const word = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu;

// Korean has spaces, but its particles are written with the word before them.
const scripts = ["Han", "Hiragana", "Katakana", "Hangul", "Thai", "Lao", "Khmer", "Myanmar"];
/** Characters of the scripts in which a word has no end that a program could see. */
const unspaced = scripts.map((script) => `\\p{Script=${script}}`).join("");
const anyUnspaced = new RegExp(`[${unspaced}]`, "u");
const runs = new RegExp(`[${unspaced}\\p{M}ー]+|[^${unspaced}]+`, "gu");

/** Longer ones are cut: what is encoded in a text is no word, and PostgreSQL takes no more than 2 KB. */
const longestWord = 100;

const lowerCased = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Folded runs of letters and digits in lower case, in order. `foo_bar.baz` has three. */
export const wordsIn = (text: string): string[] => folded(lowerCased(text)).match(word) ?? [];

/** As search documents of form 1 have them. */
export const unfoldedWordsIn = (text: string): string[] => lowerCased(text).match(word) ?? [];

/** Whether a word is found by its pairs of characters, so that any part of it is found. */
export const isUnspaced = (text: string): boolean => anyUnspaced.test(text);

/** Signs such as 🚀 decorate a title, and are no part of it unless it has nothing else. */
export function withoutSigns(words: readonly string[]): readonly string[] {
  const letters = words.filter((each) => !sign.test(each));
  return letters.length === 0 ? words : letters;
}

const sign = /^\p{Extended_Pictographic}$/u;

export interface Term {
  readonly lexeme: string;
  /** Whether it stands for every word that begins with it. */
  readonly isBeginning: boolean;
  /** Its distance from the first term, as the positions of a text count. */
  readonly at: number;
}

/**
 * The lookup terms of words that follow each other; all must match. In a script without spaces these are pairs of
 * characters: 東京都 is 東京 and 京都, and any part of a sentence is found. A single character matches the start of a
 * pair.
 */
export function termsOf(words: readonly string[]): Term[] {
  const terms: Term[] = [];
  let at = 0;
  for (const part of words.flatMap(partsOf)) {
    if (!isUnspaced(part)) {
      terms.push({ lexeme: cut(part), isBeginning: false, at });
      at += 1;
      continue;
    }
    const characters = [...part];
    if (characters.length === 1) terms.push({ lexeme: part, isBeginning: true, at });
    for (const [index, lexeme] of pairs(characters).entries())
      terms.push({ lexeme, isBeginning: false, at: at + index });
    at += characters.length;
  }
  return terms;
}

/** The lexemes of a text in order, each at the next position. */
export function lexemesOf(words: readonly string[]): string[] {
  const lexemes: string[] = [];
  for (const each of words) {
    if (!isUnspaced(each)) lexemes.push(cut(each));
    else for (const part of partsOf(each)) lexemes.push(...lexemesOfPart(part));
  }
  return lexemes;
}

function lexemesOfPart(part: string): string[] {
  if (!isUnspaced(part)) return [cut(part)];
  const characters = [...part];
  // No pair begins with the last one, and it is looked for as the beginning of one.
  return [...pairs(characters), characters.at(-1) ?? part];
}

/** Characters that are read at once, in a millisecond or two. */
const pieceLength = 8 * 1024;
/** Characters that separate words even if normalization changes their neighbours. */
const boundary = /[\s!-/:-@[-`{-~、。]/g;

/** Hands out a long text in pieces that cut no word: requests are answered in between. */
export async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    yield text.slice(start, end);
    start = end;
    if (start < text.length) await new Promise(setImmediate);
  }
}

/** After the first boundary past the usual length; the end of a text that has none. */
function endOfPiece(text: string, start: number): number {
  boundary.lastIndex = start + pieceLength;
  return boundary.test(text) ? boundary.lastIndex : text.length;
}

/** A word apart where it goes from a script with spaces to one without. */
const partsOf = (found: string): string[] => (isUnspaced(found) ? (found.match(runs) ?? []) : [found]);

const pairs = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);

const cut = (text: string): string => (text.length > longestWord ? text.slice(0, longestWord).toWellFormed() : text);
