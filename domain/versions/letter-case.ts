// One form for the upper and lower case of a letter. It is that of `toLowerCase`, of each character by itself: the three
// letters sigma are one, wherever in a word they stand.

/** The only character whose lower case is two: `i` with U+0307. */
export const dottedI = 0x130;
export const dotAbove = 0x307;
const sigma = 0x3c3;
const finalSigma = 0x3c2;

/** No letter after these has two cases. */
const casedTo = 0x1f000;
/** Those that were asked for; 0 for others. */
const known = new Uint32Array(casedTo);

/** The code point's one form; of `dottedI` the first character of it. */
export function foldedPoint(point: number): number {
  if (point >= casedTo) return point;
  return known[point] || (known[point] = lowerCaseOf(point));
}

function lowerCaseOf(point: number): number {
  if (point === finalSigma) return sigma;
  return String.fromCodePoint(point).toLowerCase().codePointAt(0) ?? point;
}

/** The code points of a text in their one form. */
export function foldedPoints(text: string): number[] {
  return [...text].flatMap((character) => {
    const point = character.codePointAt(0) ?? 0;
    return point === dottedI ? [foldedPoint(point), dotAbove] : [foldedPoint(point)];
  });
}
