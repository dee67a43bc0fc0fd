// Reads the text of a search into a query of the search documents. Knows nothing of access.
import { inTitle, nearMarks, wholeTitle } from "./marks.ts";
import { isUnspaced, termsOf, unfoldedWordsIn, withoutSigns, wordsIn, type Term } from "./words.ts";

/** A word of the query, for marking it in a text. */
export interface QueryWord {
  readonly text: string;
  readonly isBeginning: boolean;
}

/** All but `words`, `phrase` and `parts` as PostgreSQL reads a `tsquery`. */
export interface SearchQuery {
  readonly words: readonly QueryWord[];
  /** The words as the title of a document would have them. */
  readonly phrase: string;
  /** Every word and every phrase. */
  readonly anywhere: string;
  /** The same, with the last word as the beginning of one; null where it is too short or has ended. */
  readonly anywhereBeginning: string | null;
  /** The first words, for `ts_rank`. */
  readonly weighed: string;
  /** The same in title and slug alone. */
  readonly title: string;
  readonly titleBeginning: string | null;
  readonly wholeTitle: string;
  /** What each word is in a title that was padded with spaces, to be looked for as it is. */
  readonly inTitle: readonly string[];
  /** Where no phrase was asked for: each word also as a title has it that differs by one typo. */
  readonly forgiving: {
    readonly anywhere: string;
    readonly eachInTitle: readonly string[];
    /** What each word is as part of a name, as `LIKE` wants it. */
    readonly parts: readonly string[];
    /** The three longest of those that the index on names knows, repeated where there are fewer; null without any. */
    readonly indexedParts: readonly [string, string, string] | null;
  } | null;
}

/**
 * The user may still be typing the last word. With fewer letters, so many words begin with it that reading them all would
 * be expensive and useless.
 */
const lettersInTitle = 2;
const lettersInText = 3;
/** `ts_rank` compares each position of a word with each of every other: of more it would take seconds. */
const weighedTerms = 4;
/** Words whose trigrams PostgreSQL knows in every locale. */
const withTrigrams = /^[a-z0-9]{3,}$/;
/** Words with variants; more would make a query of thousands of lexemes. */
const forgivenWords = 8;

/** Null where nothing is asked for: a text of punctuation alone has no words. */
export function readQuery(q: string): SearchQuery | null {
  const query = queryOf(wordsAndPhrases(q, wordsIn));
  const unfolded = queryOf(wordsAndPhrases(q, unfoldedWordsIn));
  return query === null || unfolded === null ? query : withUnfolded(query, unfolded);
}

/** Finds documents of form 1 as well, which have the words as they are written. */
function withUnfolded(query: SearchQuery, unfolded: SearchQuery): SearchQuery {
  const near = unfolded.forgiving;
  return {
    ...query,
    anywhere: either(query.anywhere, unfolded.anywhere),
    anywhereBeginning: either(query.anywhereBeginning, unfolded.anywhereBeginning),
    title: either(query.title, unfolded.title),
    titleBeginning: either(query.titleBeginning, unfolded.titleBeginning),
    wholeTitle: either(query.wholeTitle, unfolded.wholeTitle),
    forgiving: query.forgiving && {
      ...query.forgiving,
      anywhere: either(query.forgiving.anywhere, near?.anywhere),
      eachInTitle: query.forgiving.eachInTitle.map((each, index) => either(each, near?.eachInTitle[index])),
    },
  };
}

const either = <Text extends string | null>(one: Text, other: string | null | undefined): Text | string =>
  one === null || other === null || other === undefined || one === other ? one : `(${one}) | (${other})`;

function queryOf({ words, phrases, endsInWord }: Parsed): SearchQuery | null {
  if (words.length === 0) return null;
  const last = words.at(-1) ?? "";
  const beginsFrom = (length: number): boolean => endsInWord && !isUnspaced(last) && [...last].length >= length;
  const terms = words.map((each) => termsOf([each]));
  const near = phrases.map(phraseOf).filter((phrase) => phrase !== null);
  const all = (lexemeOf: (lexeme: string) => string, isBeginning: boolean): string => {
    const written = terms.map((each, index) =>
      each.map((term) => writtenTerm(isBeginning && index === terms.length - 1 ? begun(term) : term, lexemeOf)),
    );
    return [...new Set([...written.flat(), ...near])].join(" & ");
  };
  const beginning = (lexemeOf: (lexeme: string) => string, length: number): string | null =>
    beginsFrom(length) ? all(lexemeOf, true) : null;
  return {
    words: words.map((text, index) => ({
      text,
      isBeginning: isUnspaced(text) || (endsInWord && index === words.length - 1 && text.length > 1),
    })),
    phrase: withoutSigns(words).join(" "),
    anywhere: all(itself, false),
    anywhereBeginning: beginning(itself, lettersInText),
    weighed: terms
      .flat()
      .slice(0, weighedTerms)
      .map((term) => writtenTerm({ ...term, isBeginning: false }, itself))
      .join(" & "),
    title: all(inTitle, false),
    titleBeginning: beginning(inTitle, lettersInTitle),
    wholeTitle: `'${wholeTitle(withoutSigns(words))}'`,
    inTitle: words.map((each, index) =>
      isUnspaced(each) ? each : index === words.length - 1 && beginsFrom(lettersInTitle) ? ` ${each}` : ` ${each} `,
    ),
    forgiving: phrases.length > 0 ? null : forgivingOf(words, terms, beginsFrom(lettersInText)),
  };
}

interface Parsed {
  readonly words: readonly string[];
  readonly phrases: readonly (readonly string[])[];
  /** Whether the last word may go on: a quote ends it. */
  readonly endsInWord: boolean;
}

/** What stands between two quotes is a phrase. A quote that is not closed yet is none. */
function wordsAndPhrases(q: string, read: (text: string) => string[]): Parsed {
  const pieces = q
    .normalize("NFKC")
    .replace(/[“”„«»]/g, '"')
    .split('"');
  const isPhrase = (index: number) => index % 2 === 1 && index < pieces.length - 1;
  const words = pieces.map(read);
  const last = words.findLastIndex((some) => some.length > 0);
  return {
    words: words.flat(),
    phrases: words.filter((some, index) => isPhrase(index) && some.length > 0),
    endsInWord: last !== -1 && !isPhrase(last),
  };
}

/** Null for a phrase of one word, which is no more than the word. */
function phraseOf(words: readonly string[]): string | null {
  const terms = termsOf(words);
  if (terms.length < 2) return null;
  const parts = terms.map((term, index) => {
    const before = terms[index - 1];
    return `${before === undefined ? "" : ` <${term.at - before.at}> `}${writtenTerm(term, itself)}`;
  });
  return `(${parts.join("")})`;
}

function forgivingOf(
  words: readonly string[],
  terms: readonly (readonly Term[])[],
  isBeginning: boolean,
): SearchQuery["forgiving"] {
  const each = words.map((text, index) => {
    const isLast = isBeginning && index === words.length - 1;
    const own = (lexemeOf: (lexeme: string) => string): string =>
      (terms[index] ?? []).map((term) => writtenTerm(isLast ? begun(term) : term, lexemeOf)).join(" & ");
    const near = index < forgivenWords ? nearMarks(text).map((lexeme) => ` | '${lexeme}'`) : [];
    return { anywhere: `(${own(itself)}${near.join("")})`, title: `(${own(inTitle)}${near.join("")})` };
  });
  const [longest, second = longest, third = second] = words
    .filter((some) => withTrigrams.test(some))
    .toSorted((a, b) => b.length - a.length)
    .map(partOf);
  return {
    anywhere: each.map(({ anywhere }) => anywhere).join(" & "),
    eachInTitle: each.map(({ title }) => title),
    parts: words.map(partOf),
    indexedParts:
      longest === undefined || second === undefined || third === undefined ? null : [longest, second, third],
  };
}

const partOf = (text: string): string => `%${text}%`;

const begun = (term: Term): Term => ({ ...term, isBeginning: true });

const itself = (lexeme: string): string => lexeme;

/** A lexeme has letters, digits, marks and signs alone, so between quotes it means nothing but itself. */
const writtenTerm = ({ lexeme, isBeginning }: Term, lexemeOf: (lexeme: string) => string): string =>
  `'${lexemeOf(lexeme)}'${isBeginning ? ":*" : ""}`;
