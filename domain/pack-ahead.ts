// Hashes and compresses a short text while the database looks up its caller: a publish then waits for neither. A long one
// may be packed already, where its request was parsed.
import type { Checked } from "./input.ts";
import type { Packed, PackedAhead, PackedText } from "./storage/pack.ts";
import { isShort, packSync } from "./storage/pack.ts";

/**
 * The text of an input, to be packed in a moment or when it is needed; null where there is none, or where packing it would
 * hold up the process. Called once the look-up was begun. The text of a caller who is then refused was packed for nothing.
 */
export function packAhead({ input: { content }, packed: before }: Checked): PackedAhead | null {
  if (before !== undefined) return packedBefore(before);
  if (typeof content !== "string" || !isShort(content)) return null;
  let packed: Packed | null = null;
  const take = () => (packed ??= packSync(content));
  // The statement of the look-up is sent at the end of this turn.
  setImmediate(() => setImmediate(take));
  return { text: content, take };
}

export const packedBefore = (packed: PackedText): PackedAhead => ({ text: packed.text, take: () => packed });
