// Identifiers as the API shows them: a type prefix and the 128 bits of a UUIDv7 in 26 characters of
// lower-case Crockford base32. Knows nothing of what the identifiers stand for.

export const idPrefixes = ["art", "prj", "wsp", "usr", "shr", "key", "agt", "inv", "evt", "job", "ses", "req"] as const;
export type IdPrefix = (typeof idPrefixes)[number];

const alphabet = Array.from("0123456789abcdefghjkmnpqrstvwxyz");
/** Every two characters, by the 10 bits they stand for: identifiers are written on every request, many times. */
const pairs = alphabet.flatMap((first) => alphabet.map((second) => first + second));
/** What a character stands for, by its code. */
const values = new Map(alphabet.map((character, value) => [character.charCodeAt(0), value]));

/** The pattern of an identifier's text; the first of the 26 characters carries only 3 bits. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

/** Writes a UUID (hexadecimal, its hyphens optional) as an identifier. */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  const hex = uuid.replaceAll("-", "");
  // 8 bits in the first pair, then 20 bits, which are five digits of hexadecimal, in every two.
  let text = `${prefix}_${pairs[(digit(hex, 0) << 4) | digit(hex, 1)]}`;
  for (let at = 2; at < 32; at += 5) {
    const high = (digit(hex, at) << 6) | (digit(hex, at + 1) << 2) | (digit(hex, at + 2) >> 2);
    const low = ((digit(hex, at + 2) & 3) << 8) | (digit(hex, at + 3) << 4) | digit(hex, at + 4);
    text += `${pairs[high]}${pairs[low]}`;
  }
  return text;
}

/** The value of a hexadecimal digit in lower or upper case, from its code. */
function digit(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  return (code & 15) + (code >> 6) * 9;
}

/** Reads an identifier back into its UUID; null where the text is not a well-formed identifier of that type. */
export function decodeId(prefix: IdPrefix, text: string): string | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return null;
  let hex = "";
  // The other way round: 8 bits in the first two characters, then 20 in every four.
  for (let at = prefix.length + 1, length = 2; at < text.length; at += length, length = 4) {
    const bits = bitsOf(text, at, length);
    if (Number.isNaN(bits) || (length === 2 && bits > 255)) return null;
    hex += bits.toString(16).padStart(length === 2 ? 2 : 5, "0");
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** NaN where a character is not of the alphabet. */
function bitsOf(text: string, at: number, length: number): number {
  let bits = 0;
  for (let place = at; place < at + length; place++)
    bits = bits * 32 + (values.get(text.charCodeAt(place)) ?? Number.NaN);
  return bits;
}
