// The lexemes of a search document that are no words of its text. Each kind begins with a sign that no word has, so
// that one index answers for all of them.
import { isUnspaced, lexemesOf, withoutSigns, wordsIn } from "./words.ts";

/** A word of the title or the slug. */
export const inTitle = (lexeme: string): string => `=${lexeme}`;

/** The whole title. A long one is cut: it is found by its beginning. */
export const wholeTitle = (words: readonly string[]): string => `!${words.join(" ").slice(0, 200).toWellFormed()}`;

/** A word of the title without one of its letters: two words that differ by one typo have one of these in common. */
export const misspelled = (variant: string): string => `~${variant}`;

const bare = (uuid: string): string => uuid.replaceAll("-", "");
/** Before an identifier without its hyphens. */
export const markSigns = { workspace: "@w", project: "@p", creator: "@u" } as const;
export const workspaceMark = (uuid: string): string => markSigns.workspace + bare(uuid);
export const projectMark = (uuid: string): string => markSigns.project + bare(uuid);
export const creatorMark = (uuid: string): string => markSigns.creator + bare(uuid);
export const typeMark = (type: string): string => `@t${type}`;

const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** The year and the month of the last change, in UTC. */
export const changedMarks = (time: Date): string[] => [`+${time.getUTCFullYear()}`, `+${monthOf(time)}`];

/** Nothing was published before. */
const firstYear = 2020;

/** The years and months from one time to another: each change between them is in one. */
export function marksBetween(since: Date | undefined, until: Date): string[] {
  const from = since ?? new Date(Date.UTC(firstYear, 0));
  const marks: string[] = [];
  let [year, month] = [
    Math.max(firstYear, from.getUTCFullYear()),
    from.getUTCFullYear() < firstYear ? 0 : from.getUTCMonth(),
  ];
  const last = Math.min(until.getUTCFullYear(), new Date().getUTCFullYear() + 1);
  while (year <= last) {
    const end = year === until.getUTCFullYear() ? until.getUTCMonth() : 11;
    if (month === 0 && end === 11) marks.push(`+${year}`);
    else for (; month <= end; month++) marks.push(`+${year}-${String(month + 1).padStart(2, "0")}`);
    [year, month] = [year + 1, 0];
  }
  return marks;
}

/** How many documents share a mark of when they were written: a page or two of results, or the newest ones of most. */
export const turnsOfMark = { few: 2048, many: 32_768 } as const;

/** Fewer letters have too many neighbours, and a number is never meant to be another one. */
const spelled = /^[\p{L}\p{M}]{4,24}$/u;
const oneShorter = /^[\p{L}\p{M}]{3,24}$/u;

/** Whether a typo in the word is forgiven. */
export const isForgiven = (word: string): boolean => spelled.test(word) && !isUnspaced(word);

/** The marks of titles that have the word with one typo: of three letters, one of the four may be missing. */
export function nearMarks(word: string): string[] {
  if (!oneShorter.test(word) || isUnspaced(word)) return [];
  const variants = isForgiven(word) ? variantsOf(word) : [];
  return [misspelled(word), ...variants.map(misspelled), ...variants.map(inTitle)];
}

/** The word without each of its letters in turn. */
export function variantsOf(word: string): string[] {
  const letters = [...word];
  return [...new Set(letters.map((_, left) => letters.filter((_, at) => at !== left).join("")))];
}

/** By what a title and a slug are found, beside their words. */
export function titleMarks(title: string, slug: string): string[] {
  const words = wordsIn(title);
  const all = [...words, ...wordsIn(slug)];
  return [
    wholeTitle(withoutSigns(words)),
    ...lexemesOf(all).map(inTitle),
    ...all.filter(isForgiven).flatMap(variantsOf).map(misspelled),
  ];
}
