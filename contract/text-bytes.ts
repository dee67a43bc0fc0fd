// UTF-8 text read as bytes, so that a long text need not be decoded. Offsets are of bytes.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const newline = 10;
export const carriageReturn = 13;

export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === newline) count++;
  return count;
}

/** The newline that ends the line, or the end of the text. */
export function lineEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] !== newline) end++;
  return end;
}

/** Without the carriage return before its newline. */
export const withoutReturn = (bytes: Uint8Array, from: number, end: number): number =>
  end > from && bytes[end - 1] === carriageReturn ? end - 1 : end;

/** The end of the bytes that are the same as the first. */
export function runEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] === bytes[from]) at++;
  return at;
}

/** At most so many UTF-16 units of the text between the offsets, which are where characters begin. */
export function textUpTo(bytes: Uint8Array, from: number, to: number, units: number): string {
  // A unit is at most three bytes, and a character cut at the end of these is past the units.
  const end = Math.min(to, from + 3 * units + 3);
  return decoder.decode(bytes.subarray(from, end)).slice(0, units);
}

/** The bytes of the white space character there, as `\s` has it; 0 where there is none. */
export function spaceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return first === 32 || (first >= 9 && first <= 13) ? 1 : 0;
  const second = bytes[at + 1] ?? 0;
  if (first === 0xc2) return second === 0xa0 ? 2 : 0;
  if (first !== 0xe1 && first !== 0xe2 && first !== 0xe3 && first !== 0xef) return 0;
  return wideSpaces.has((first << 16) | (second << 8) | (bytes[at + 2] ?? 0)) ? 3 : 0;
}

/** U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF. */
const wideSpaces: ReadonlySet<number> = new Set([
  0xe1_9a_80,
  ...Array.from({ length: 11 }, (_, n) => 0xe2_80_80 + n),
  0xe2_80_a8,
  0xe2_80_a9,
  0xe2_80_af,
  0xe2_81_9f,
  0xe3_80_80,
  0xef_bb_bf,
]);

/**
 * Where the character of the first line is that has the column, in UTF-16 units from 1, and the column at which it begins;
 * null where the line, its newline included, has none.
 */
export function columnIn(
  bytes: Uint8Array,
  wanted: number,
): { readonly offset: number; readonly column: number } | null {
  let column = 1;
  for (let offset = 0; offset < bytes.length;) {
    const byte = bytes[offset] ?? 0;
    const units = byte < 0xf0 ? 1 : 2;
    if (column + units > wanted) return { offset, column };
    if (byte === newline) return null;
    column += units;
    offset += byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  return null;
}
