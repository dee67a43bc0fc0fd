// Reads a chosen file as text.

/** The text of a file; what is wrong with it where it is none. */
export async function textOf(file: File, maxBytes: number): Promise<{ text: string } | { refused: string }> {
  if (file.size > maxBytes) return { refused: `${file.name} is too large` };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? { refused: `${file.name} is no text` } : { text };
  } catch {
    // Bytes that are no UTF-8, or a folder.
    return { refused: `${file.name} is no text` };
  }
}
