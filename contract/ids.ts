// Identifiers of the API: a type prefix and the 128 bits of a UUIDv7 in 26 characters of lower-case Crockford base32.
// It does not know the resources behind them.

const idPrefixes = ["art", "prj", "wsp", "usr", "shr", "key", "agt", "inv", "evt", "job", "ses", "upl", "req"] as const;
export type IdPrefix = (typeof idPrefixes)[number];

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
/** The character codes, indexed by the 5 bits of each. */
const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
/** The value of a character that is not in the alphabet. */
const none = 255;
/** The 5 bits of a character, indexed by its code. */
const values = new Uint8Array(128).fill(none);
for (const [value, code] of codes.entries()) values[code] = value;

const [underscore, hyphen] = ["_".charCodeAt(0), "-".charCodeAt(0)];
/** The positions of the hyphens in a UUID. */
const hyphens: ReadonlySet<number> = new Set([8, 13, 18, 23]);

/**
 * A shared buffer for the result. A request writes and reads many identifiers, and joined strings would allocate an
 * object for each piece.
 */
let written: Buffer | undefined;

/** The pattern of an identifier's text; the first of the 26 characters carries only 3 bits. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

/** Writes a UUID (hexadecimal, its hyphens optional) as an identifier. */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  const text = (written ??= Buffer.alloc(64));
  let length = 0;
  while (length < prefix.length) text[length] = prefix.charCodeAt(length++);
  text[length++] = underscore;
  // 26 characters hold 130 bits: the first character begins with two zero bits.
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

/** Converts an identifier back to its UUID; null where the text is not a well-formed identifier of that type. */
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
