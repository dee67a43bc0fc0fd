// The digest by which a request that is sent again is recognized.
import { hashOfText, type PackedText } from "./storage/pack.ts";

/** The UTF-16 units of a text from which on its hash stands for it: to write 16 MiB as JSON takes 0.1 s. */
const longFrom = 64 * 1024;

/** Of a JSON value. The hash of a long text is not computed again where the text was packed. */
export function digestOf(value: unknown, packed?: Pick<PackedText, "sha256" | "text">): Buffer {
  // No input has an object in the place of a text, so that it stands for nothing else.
  const shortened = (_: string, inner: unknown): unknown =>
    typeof inner === "string" && inner.length >= longFrom ? { sha256: hashOfText(inner, packed) } : inner;
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(value, shortened)).digest();
}
