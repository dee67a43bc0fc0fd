// What a search asks of the search documents. Knows nothing of access.
import { termsOf, wordsIn, type Term } from "./words.ts";

export interface SearchQuery {
  /** Every word, the last one (of two letters or more) as the beginning of one, as PostgreSQL reads a `tsquery`. */
  readonly words: string;
  /** What each word is as part of a name, as `LIKE` wants it. */
  readonly parts: readonly string[];
  /** The three longest of those that the index on names knows, repeated where there are fewer; null without any. */
  readonly indexedParts: readonly [string, string, string] | null;
}

/** Words whose trigrams PostgreSQL knows in every locale. */
const withTrigrams = /^[a-z0-9]{3,}$/;

/** Null where nothing is asked for: a text of punctuation alone has no words. */
export function readQuery(q: string): SearchQuery | null {
  const words = wordsIn(q);
  const last = words.at(-1);
  if (last === undefined) return null;
  const terms = [...words.slice(0, -1).flatMap(termsOf), ...asBeginning(termsOf(last))];
  const [longest, second = longest, third = second] = words
    .filter((word) => withTrigrams.test(word))
    .toSorted((a, b) => b.length - a.length)
    .map(partOf);
  return {
    words: [...new Set(terms.map(written))].join(" & "),
    parts: words.map(partOf),
    indexedParts:
      longest === undefined || second === undefined || third === undefined ? null : [longest, second, third],
  };
}

const partOf = (word: string): string => `%${word}%`;

/**
 * The user may still be typing the last part. A single letter begins so many words that reading them all would be
 * expensive and useless, so it matches only itself.
 */
const asBeginning = (terms: readonly Term[]): Term[] =>
  terms.map((term, index) =>
    index === terms.length - 1 && term.lexeme.length > 1 ? { ...term, isBeginning: true } : term,
  );

/** A lexeme has letters, digits, marks and signs alone, so between quotes it means nothing but itself. */
const written = ({ lexeme, isBeginning }: Term): string => `'${lexeme}'${isBeginning ? ":*" : ""}`;
