// Texts of other people in lines that are pasted into a shell: one word stays one word with any content, and what a
// terminal or an eye would take for something else is written out.

/** Characters that command a terminal, are not seen, or turn the order of what is read. */
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
const everyMisleading = new RegExp(misleading, "gu");

export const isMisleading = (text: string): boolean => misleading.test(text);

/** One word of a POSIX shell. @throws Error where the text can't be shown as it is: JSON can say it instead */
export function shellWord(text: string): string {
  if (isMisleading(text)) throw new Error("This text is said in JSON.");
  return /^[A-Za-z0-9_./:,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** JSON in which nothing is hidden. It parses to the same value. */
export const openJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(everyMisleading, (character) => {
    if (character === "\n") return character;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => String.raw`\u` + unit.toString(16).padStart(4, "0")).join("");
  });
