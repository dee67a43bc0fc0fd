// Identifiers as the API shows them: a type prefix and the 128 bits of a UUIDv7 in 26 characters of
// lower-case Crockford base32. Knows nothing of what the identifiers stand for.

export const idPrefixes = ["art", "prj", "wsp", "usr", "shr", "key", "agt", "inv", "evt", "job", "ses", "req"] as const;
export type IdPrefix = (typeof idPrefixes)[number];

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** The codes of the characters, by the 5 bits they stand for. */
const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
/** What no character of the alphabet stands for. */
const none = 255;
/** What a character stands for, by its code. */
const values = new Uint8Array(128).fill(none);
for (const [value, code] of codes.entries()) values[code] = value;

const [underscore, hyphen] = ["_".charCodeAt(0), "-".charCodeAt(0)];
/** Where the hyphens of a UUID stand. */
const hyphens: ReadonlySet<number> = new Set([8, 13, 18, 23]);

/** Text is put together here: a request writes and reads many identifiers, and each piece of text would be an object. */
let written: Buffer | undefined;

/** The pattern of an identifier's text; the first of the 26 characters carries only 3 bits. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

/** Writes a UUID (hexadecimal, its hyphens optional) as an identifier. */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  const text = (written ??= Buffer.alloc(64));
  let length = 0;
  while (length < prefix.length) text[length] = prefix.charCodeAt(length++);
  text[length++] = underscore;
  // 128 bits in 26 characters: the first begins with two that are always zero.
  let [bits, held] = [0, 2];
  for (let at = 0; at < uuid.length; at++) {
    const code = uuid.charCodeAt(at);
    if (code === hyphen) continue;
    bits = (bits << 4) | digit(code);
    held += 4;
    if (held < 5) continue;
    held -= 5;
    text[length++] = codes[bits >> held] ?? 0;
    bits &= (1 << held) - 1;
  }
  return text.toString("latin1", 0, length);
}

/** The value of a hexadecimal digit in lower or upper case. */
const digit = (code: number): number => (code & 15) + (code >> 6) * 9;

/** Reads an identifier back into its UUID; null where the text is not a well-formed identifier of that type. */
export function decodeId(prefix: IdPrefix, id: string): string | null {
  const from = prefix.length + 1;
  if (id.length !== from + 26 || !id.startsWith(prefix) || id.charCodeAt(from - 1) !== underscore) return null;
  const text = (written ??= Buffer.alloc(64));
  let length = 0;
  let [bits, held] = [0, -2];
  for (let at = from; at < id.length; at++) {
    const value = values[id.charCodeAt(at)] ?? none;
    if (value === none || (at === from && value > 7)) return null;
    bits = (bits << 5) | value;
    for (held += 5; held >= 4;) {
      held -= 4;
      if (hyphens.has(length)) text[length++] = hyphen;
      const four = bits >> held;
      text[length++] = four + (four < 10 ? 48 : 87);
      bits &= (1 << held) - 1;
    }
  }
  return text.toString("latin1", 0, length);
}
