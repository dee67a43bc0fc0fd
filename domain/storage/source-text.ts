// A source text that is to be published: hashed and compressed once, whoever asks first. A short one is packed while the
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

/**
 * The text of an input; null where it has none. Called once the look-up was begun. The text of a caller who is then
 * refused was packed for nothing.
 */
export function sentText({ content }: Readonly<Record<string, unknown>>, before?: PackedText): SourceText | null {
  if (typeof content !== "string") return null;
  // What was packed is of the request, from which a tool makes inputs of its own.
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
