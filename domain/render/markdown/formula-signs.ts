// Tells formulas from prose between signs that both have: prices in dollars, and brackets that a converter escaped.

/** Converters to Markdown escape every bracket of prose, so a bracketed text needs a sign that prose lacks. */
const sign = /[\\^_=+<>|{}]/;
/** What prose does not have even beside a letter or among words. */
const texSign = /[\^{}]|\\[A-Za-z]/;
/** A command that no escape of a character is, an exponent, or an index of several characters. */
const lineSign = /(?<!\\)\\[A-Za-z]{2,}|[\p{L}\p{N})\]}]\^|_\{/u;

/** Chinese, Japanese and Korean put no space between a word and a formula, so their letters say nothing about it. */
export const wordCharacter =
  /[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]]/v;

/** Two words of a sentence. */
const isPlain = (content: string): boolean =>
  content.split(/\s+/).filter((word) => !word.startsWith("\\") && /\p{L}{2}/u.test(word)).length > 1;

/** Whether the lines of a block are mathematics: a letter or digit, and a sign or no sentence. */
export const isFormula = (content: string): boolean =>
  /[\p{L}\p{N}]/u.test(content) && (sign.test(content) || !isPlain(content));

/** Whether what stands between `\(` and `\)` is: `\(optional\)`, `f\(x\)` and `'\(a\|b\)'` are brackets of prose. */
export function isParenthesized(content: string, before: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(content)) return false;
  if (texSign.test(content)) return true;
  if (wordCharacter.test(before) || /\w\\\|\w/.test(content)) return false;
  return sign.test(content) || !/\p{L}{2}/u.test(content);
}

/** Whether what stands between `\[` and `\]` on separate lines is. */
export const isBracketed = (content: string): boolean =>
  !/\\[[\]]/.test(content) && isFormula(content) && sign.test(content);

/** Whether the same is within a line of prose. */
export const isBracketedInLine = (content: string): boolean => isFormula(content) && lineSign.test(content);

/** Whether what stands between `$$` within a line is: `$$ 5 and $$ 10` are prices, `$$) to ($$` are levels of them. */
export function isDisplayed(content: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(content) || content.includes("`")) return false;
  if (!/^\s|\s$/.test(content)) return true;
  const inner = content.trim();
  if (isPlain(inner)) return texSign.test(inner) || /\w_\w/.test(inner);
  return !/^[=<>]/.test(inner) && (sign.test(inner) || (/\p{L}/u.test(inner) && !/\p{L}{2}/u.test(inner)));
}

/** Whether a block that begins with this text behind its `$$` can be one: `$$ is our middle price` is prose. */
export const canBegin = (opening: string): boolean => !isPlain(opening) || sign.test(opening);
