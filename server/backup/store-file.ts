// Writes a file atomically: under another name, synced to disk, then renamed.
import { randomUUID } from "node:crypto";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes the content to the path, readable by its owner only (mode 0600). An existing file stays until the rename.
 * Returns the number of bytes.
 */
export async function storeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new Error(`${path} is a folder`);
  const draft = `${path}.${randomUUID()}.part`;
  const file = await open(draft, "wx", 0o600);
  try {
    let bytes = 0;
    for await (const chunk of content) {
      await writeWhole(file, chunk);
      bytes += chunk.length;
    }
    await file.sync();
    await file.close();
    await rename(draft, path);
    await syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

/** A write may be partial, for example where the disk is nearly full. */
async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
