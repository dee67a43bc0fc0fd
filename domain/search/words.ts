// The words of a text, the same for what is searched and for what is searched for. Read here and not by PostgreSQL's
// parser, which takes `bar.baz` and a whole sentence of Japanese for one word each and lower-cases as the database's
// locale does. No language is presumed: nothing is stemmed or left out.

const word = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu;

const scripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
/** Characters of the scripts that are written without spaces between words. */
const unspaced = scripts.map((script) => `\\p{Script=${script}}`).join("");
const anyUnspaced = new RegExp(`[${unspaced}]`, "u");
const runs = new RegExp(`[${unspaced}\\p{M}ー]+|[^${unspaced}]+`, "gu");

/** Longer ones are cut: what is encoded in a text is no word, and PostgreSQL takes no more than 2 KB. */
const longestWord = 100;

/** Lower-cased runs of letters and digits, in order. `foo_bar.baz` has three. */
export const wordsIn = (text: string): string[] => text.normalize("NFKC").toLowerCase().match(word) ?? [];

export interface Term {
  readonly lexeme: string;
  /** Whether it stands for every word that begins with it. */
  readonly isBeginning: boolean;
}

/**
 * The lookup terms of a word, all of which must match. In a script without spaces these are its pairs of characters:
 * 東京都 is 東京 and 京都, and any part of a sentence is found. A single character matches the start of a pair.
 */
export const termsOf = (found: string): Term[] =>
  partsOf(found).flatMap((part): Term[] => {
    if (!anyUnspaced.test(part)) return [{ lexeme: cut(part), isBeginning: false }];
    const characters = [...part];
    if (characters.length === 1) return [{ lexeme: part, isBeginning: true }];
    return pairs(characters).map((lexeme) => ({ lexeme, isBeginning: false }));
  });

/** Characters that are read at once, in a millisecond or two. */
const pieceLength = 8 * 1024;
/** Characters that separate words even if normalization changes their neighbours. */
const boundary = /[\s!-/:-@[-`{-~、。]/g;

/** Everything by which a text is found. Reads a long text in pieces: requests are answered in between. */
export async function lexemesIn(text: string): Promise<Set<string>> {
  const lexemes = new Set<string>();
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    addLexemes(lexemes, text.slice(start, end));
    start = end;
    if (start < text.length) await new Promise(setImmediate);
  }
  return lexemes;
}

/** After the first boundary past the usual length, so that no word is cut; the end of a text that has none. */
function endOfPiece(text: string, start: number): number {
  boundary.lastIndex = start + pieceLength;
  return boundary.test(text) ? boundary.lastIndex : text.length;
}

function addLexemes(lexemes: Set<string>, text: string): void {
  for (const part of wordsIn(text).flatMap(partsOf)) {
    if (!anyUnspaced.test(part)) {
      lexemes.add(cut(part));
      continue;
    }
    const characters = [...part];
    for (const pair of pairs(characters)) lexemes.add(pair);
    // No pair begins with it, and it is looked for as the beginning of one.
    lexemes.add(characters.at(-1) ?? part);
  }
}

/** A word apart where it goes from a script with spaces to one without. */
const partsOf = (found: string): string[] => (anyUnspaced.test(found) ? (found.match(runs) ?? []) : [found]);

const pairs = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);

const cut = (text: string): string => (text.length > longestWord ? text.slice(0, longestWord).toWellFormed() : text);
