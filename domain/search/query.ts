// What a search asks of the search documents. Knows nothing of access.
import { termsOf, wordsIn, type Term } from "./words.ts";

export interface SearchQuery {
  /** Every word, the last one as the beginning of one, as PostgreSQL reads a `tsquery`. */
  readonly words: string;
  /** What each word is as part of a name, as `LIKE` wants it. */
  readonly parts: readonly string[];
  /** The longest of those that the index on names knows; null where there is none, and then no name has these parts. */
  readonly indexedPart: string | null;
}

/** Words of which PostgreSQL knows the trigrams whatever its locale. */
const withTrigrams = /^[a-z0-9]{3,}$/;

/** Null where nothing is asked for: a text of punctuation alone has no words. */
export function readQuery(q: string): SearchQuery | null {
  const words = wordsIn(q);
  const last = words.at(-1);
  if (last === undefined) return null;
  const terms = [...words.slice(0, -1).flatMap(termsOf), ...asBeginning(termsOf(last))];
  const indexed = words.filter((word) => withTrigrams.test(word)).toSorted((a, b) => b.length - a.length);
  return {
    words: [...new Set(terms.map(written))].join(" & "),
    parts: words.map((word) => `%${word}%`),
    indexedPart: indexed[0] === undefined ? null : `%${indexed[0]}%`,
  };
}

/** Somebody may still be typing its last part. */
const asBeginning = (terms: readonly Term[]): Term[] =>
  terms.map((term, index) => (index === terms.length - 1 ? { ...term, isBeginning: true } : term));

/** A lexeme has letters, digits, marks and signs alone, so between quotes it means nothing but itself. */
const written = ({ lexeme, isBeginning }: Term): string => `'${lexeme}'${isBeginning ? ":*" : ""}`;
