// Finds a text in UTF-8 in upper and lower case alike, by Knuth, Morris and Pratt: each byte is read once with any text and
// needle, because both come from callers.
import { carriageReturn, newline } from "@plinth/contract/text-bytes";

// One form for the upper and lower case of a letter. It is that of `toLowerCase`, of each character by itself: the three
// letters sigma are one, wherever in a word they stand.

/** The only character whose lower case is two: `i` with U+0307. */
const dottedI = 0x130;
const dotAbove = 0x307;
const sigma = 0x3c3;
const finalSigma = 0x3c2;

/** No letter after these has two cases. */
const casedTo = 0x1f000;
/** Those that were asked for; 0 for others. */
const known = new Uint32Array(casedTo);

/** The code point's one form; of `dottedI` the first character of it. */
function foldedPoint(point: number): number {
  if (point >= casedTo) return point;
  return known[point] || (known[point] = lowerCaseOf(point));
}

function lowerCaseOf(point: number): number {
  if (point === finalSigma) return sigma;
  return String.fromCodePoint(point).toLowerCase().codePointAt(0) ?? point;
}

/** The code points of a text in their one form. */
function foldedPoints(text: string): number[] {
  return [...text].flatMap((character) => {
    const point = character.codePointAt(0) ?? 0;
    return point === dottedI ? [foldedPoint(point), dotAbove] : [foldedPoint(point)];
  });
}

interface Needle {
  readonly points: Int32Array;
  /** After so many points that matched, how many of them still do when the next one does not. */
  readonly shorter: Int32Array;
  /** By byte, 1 where a match may begin with it. */
  readonly begins: Uint8Array;
}

/** Null for a text that no line of UTF-8 has: with a newline, or with half a character. */
export function needleOf(text: string): Needle | null {
  if (text.includes("\n") || !text.isWellFormed()) return null;
  const points = Int32Array.from(foldedPoints(text));
  const shorter = new Int32Array(points.length + 1);
  for (let at = 1, same = 0; at < points.length; at++) {
    while (same > 0 && points[at] !== points[same]) same = shorter[same] ?? 0;
    if (points[at] === points[same]) same++;
    shorter[at + 1] = same;
  }
  return { points, shorter, begins: beginningsOf(points[0] ?? 0) };
}

/** Letters beyond ASCII have their cases anywhere beyond ASCII; K (the kelvin sign) and İ are cases of `k` and `i`. */
function beginningsOf(point: number): Uint8Array {
  const begins = new Uint8Array(256);
  if (point >= 0x80 || point === 0x6b || point === 0x69) begins.fill(1, 0xc2);
  for (let byte = 0; byte < 0x80; byte++) if (foldedPoint(byte) === point) begins[byte] = 1;
  return begins;
}

/** Of ASCII. */
const lowerCase = Uint8Array.from({ length: 0x80 }, (_, byte) => foldedPoint(byte));

/**
 * The offset of the last character of the first match that begins at `from` or later and ends before `to`; -1 where there
 * is none. The carriage return before a newline belongs to no match. Both offsets are where characters begin.
 */
export function endOfMatch(bytes: Uint8Array, { points, shorter, begins }: Needle, from: number, to: number): number {
  const all = points.length;
  let matched = 0;
  let at = from;
  while (at < to) {
    const byte = bytes[at] ?? 0;
    if (matched === 0 && begins[byte] === 0) {
      at++;
      continue;
    }
    if (byte < 0x80) {
      // Most texts: nothing of it is decoded, and no case of it is two characters.
      const folded = lowerCase[byte] ?? 0;
      while (matched > 0 && points[matched] !== folded) matched = shorter[matched] ?? 0;
      if (points[matched] === folded) matched++;
      if (matched === all) {
        if (byte !== carriageReturn || bytes[at + 1] !== newline) return at;
        matched = shorter[matched] ?? 0;
      }
      at++;
      continue;
    }
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    const point = pointAt(bytes, at, length);
    const folded = foldedPoint(point);
    while (matched > 0 && points[matched] !== folded) matched = shorter[matched] ?? 0;
    if (points[matched] === folded) matched++;
    if (point === dottedI && matched < all) {
      while (matched > 0 && points[matched] !== dotAbove) matched = shorter[matched] ?? 0;
      if (points[matched] === dotAbove) matched++;
    }
    if (matched === all) return at;
    at += length;
  }
  return -1;
}

function pointAt(bytes: Uint8Array, at: number, length: number): number {
  let point = (bytes[at] ?? 0) & (0xff >> (length + 1));
  for (let n = 1; n < length; n++) point = (point << 6) | ((bytes[at + n] ?? 0) & 0x3f);
  return point;
}
