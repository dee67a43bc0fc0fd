// Tokens (docs/reference/contract.md §5): a prefix, 192 random bits and a checksum, in base62. The database stores the
// SHA-256; a token with a bad checksum is refused without a query.

const tokenPrefixes = {
  apiKey: "plk_",
  agent: "pla_",
  share: "pls_",
  operator: "plo_",
  /** Of the OAuth server. */
  access: "plt_",
  refresh: "plr_",
} as const;
type TokenKind = keyof typeof tokenPrefixes;

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 192 bits need 33 digits of base 62, a CRC32 needs 6. */
const secretLength = 33;
const checksumLength = 6;
const shape = new RegExp(`^pl[kasotr]_[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** Makes a new token of 43 characters. */
export function mintToken(kind: TokenKind): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("hex");
  const body = tokenPrefixes[kind] + base62(BigInt(`0x${random}`), secretLength);
  return body + checksum(body);
}

/** The kind of a well-formed token; null where form or checksum are wrong. */
export function tokenKind(token: string): TokenKind | null {
  if (!shape.test(token)) return null;
  if (checksum(token.slice(0, -checksumLength)) !== token.slice(-checksumLength)) return null;
  const kinds = Object.keys(tokenPrefixes) as TokenKind[];
  return kinds.find((kind) => token.startsWith(tokenPrefixes[kind])) ?? null;
}

/** SHA-256 of a token, hex: the only form in which it is kept or looked up. */
export const tokenHash = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("hex");

/** In plain numbers: it is worked out for every request with a token. */
function checksum(text: string): string {
  let digitsOf = "";
  for (let rest = Bun.hash.crc32(text); digitsOf.length < checksumLength; rest = Math.floor(rest / 62))
    digitsOf = digits.charAt(rest % 62) + digitsOf;
  return digitsOf;
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}
