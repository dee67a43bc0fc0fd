// The beginning of a text, as results quote from it: one line, in the form in which its words are read.

/** Characters. What stands behind them is found and not quoted. */
const longest = 64 * 1024;
const spaces = /[\p{Cc}\s]+/gu;

export const quotedText = (text: string): string =>
  text.slice(0, longest).normalize("NFKC").replace(spaces, " ").trim().toWellFormed();
