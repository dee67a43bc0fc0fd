// Reads a chosen file as text.
import { fileSize } from "#lib/file-size.ts";
import { documentFilesTexts } from "#messages/document-files.ts";

/** The text of a file; what is wrong with it where it is none. */
export async function textOf(file: File, maxBytes: number): Promise<{ text: string } | { refused: string }> {
  const texts = documentFilesTexts();
  const about = { name: file.name, limit: fileSize(maxBytes) };
  if (file.size > maxBytes) return { refused: texts.tooLarge(about) };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? { refused: texts.noText(about) } : { text };
  } catch {
    // Bytes that are no UTF-8, or a folder.
    return { refused: texts.noText(about) };
  }
}
