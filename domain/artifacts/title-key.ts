// The form in which titles are compared with each other, byte by byte: the same on every machine and in every version of
// its libraries, so that an index of them stays in order.

/** What fits a cursor, in characters; titles that agree so far are in the order of their identifiers. */
const longest = 80;

/** Marks over Latin, Greek and Cyrillic letters; those of other scripts are vowels. */
const accents = /[\u0300-\u036F]/g;
const spaces = /[\p{Cc}\s]+/gu;
const number = /\d+/g;

/** Case and accents make no difference, and a number counts as one: `Part 2` comes before `part 10`. */
export const titleKeyOf = (title: string): string =>
  [
    ...title
      .normalize("NFKD")
      .replace(accents, "")
      .toLowerCase()
      .replace(spaces, " ")
      .trim()
      .replace(number, asNumber)
      .toWellFormed(),
  ]
    .slice(0, longest)
    .join("");

/** With the count of its digits ahead, of more than 99 as many: the shorter number is the smaller one. */
function asNumber(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  return `${String(Math.min(significant.length, 99)).padStart(2, "0")}${significant}`;
}
