// Hashes and compresses a short text while the database looks up its caller: a publish then waits for neither.
import type { Packed, PackedAhead } from "./storage/pack.ts";
import { isShort, packShort } from "./storage/pack.ts";

/**
 * The text of an input, to be packed in a moment or when it is needed; null where there is none, or where packing it would
 * hold up the process. Called once the look-up was begun. The text of a caller who is then refused was packed for nothing.
 */
export function packAhead({ content }: Readonly<Record<string, unknown>>): PackedAhead | null {
  if (typeof content !== "string" || !isShort(content)) return null;
  let packed: Packed | null = null;
  const take = () => (packed ??= packShort(content));
  // The statement of the look-up is sent at the end of this turn.
  setImmediate(() => setImmediate(take));
  return { text: content, take };
}
