// Edits that cost a server the most: each searches the whole text, or replaces a letter of it everywhere.

/** Of texts that do not occur. */
export const missingEdits = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ oldText: `never there ${n}`, newText: "" }));

/** Each replaces what the one before has written. */
export const everyLetterEdits = (count: number, letter = "a") =>
  Array.from({ length: count }, (_, n) => {
    const [oldText = "", newText = ""] = n % 2 === 0 ? [letter, "§"] : ["§", letter];
    return { oldText, newText, replaceAll: true };
  });
