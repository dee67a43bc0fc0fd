// Looks for a sentence in texts, which break its words into lines in any way.

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** By the text for each of them. */
export function haveText(texts: readonly string[], wanted: string): boolean[] {
  const sentence = onOneLine(wanted);
  return texts.map((text) => text.includes(wanted) || onOneLine(text).includes(sentence));
}
