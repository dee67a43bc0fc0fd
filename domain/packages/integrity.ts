// Integrity metadata (W3C SRI): only digests of SHA-256 or stronger count, because SHA-1 collisions can be made.
import { checkData, parse } from "ssri";

const strong = ["sha512", "sha384", "sha256"] as const;

/** The strong digests of a registry's statement; null where it has none. */
export function strongIntegrity(text: string): string | null {
  const stated = parse(text, { strict: true });
  if (stated === null) return null;
  const algorithm = strong.find((name) => (stated[name]?.length ?? 0) > 0);
  return algorithm === undefined ? null : (stated[algorithm] ?? []).map(String).join(" ");
}

export const hasStrongIntegrity = (bytes: Uint8Array, integrity: string): boolean =>
  checkData(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), integrity) !== false;
