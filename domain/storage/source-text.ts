// A source text that is to be published: hashed and compressed once, at the first call that asks. A short one is packed while the
// database looks up its caller, so that a publish waits for neither; a long one may be packed where its request was parsed.
import { hashOfText, isShort, pack, packSync, type Packed, type PackedText } from "./pack.ts";

export interface SourceText {
  readonly text: string;
  /** In hex. A long text is not compressed for it. */
  readonly hash: () => string;
  /** A promise where the text is long and was not packed before. */
  readonly pack: () => Packed | Promise<Packed>;
}

/** A text that is packed when that is asked for. */
export function sourceText(text: string): SourceText {
  let packing: Promise<Packed> | null = null;
  return { text, hash: () => hashOfText(text), pack: () => (packing ??= pack(text)) };
}

interface Sent {
  readonly input: Readonly<Record<string, unknown>>;
  /** The text of the request, where it was packed as that was parsed. */
  readonly packed?: PackedText | undefined;
}

/**
 * The text of an input; null where it has none. Called once the look-up was begun. The text of a caller who is then
 * refused was packed for nothing.
 */
export function sentText({ input: { content }, packed: before }: Sent): SourceText | null {
  if (typeof content !== "string") return null;
  // A tool makes several inputs of one request, and not all have its text.
  if (before?.text === content) return { text: content, hash: () => before.sha256, pack: () => before };
  return isShort(content) ? packedSoon(content) : sourceText(content);
}

function packedSoon(text: string): SourceText {
  let packed: Packed | null = null;
  const packNow = () => (packed ??= packSync(text));
  // The statement of the look-up is sent at the end of this turn.
  setImmediate(() => setImmediate(packNow));
  return { text, hash: () => packNow().sha256, pack: packNow };
}
