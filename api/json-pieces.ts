// Parses JSON from bytes in pieces.

export type ParsedJson = { readonly json: unknown } | { readonly wrong: string };

/** The value of the text, or its fault as the end of a sentence. */
export function parsePieces(pieces: readonly Uint8Array[]): ParsedJson {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
    return { json: JSON.parse(text) as unknown };
  } catch (error) {
    return { wrong: error instanceof TypeError ? "is not valid UTF-8" : "is not valid JSON" };
  }
}
