// Reads bytes up to a limit, so that a file or stream of any size costs no more memory than the limit.
import { open } from "node:fs/promises";

/** The bytes, or why they were not read: larger than the limit; `sizeBytes` is null where the size cannot be known ahead. */
export type BoundedBytes = Uint8Array | { readonly tooLarge: true; readonly sizeBytes: number | null };

const chunkBytes = 64 * 1024;

/** Reads a file. A regular file over the limit is not read at all. @throws Error of the system */
export async function readFileBounded(path: string, limitBytes: number): Promise<BoundedBytes> {
  const file = await open(path, "r");
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw Object.assign(new Error("It is a directory"), { code: "EISDIR" });
    if (found.isFile() && found.size > limitBytes) return { tooLarge: true, sizeBytes: found.size };
    return await collect(chunksOf(file, found.size), limitBytes);
  } finally {
    await file.close();
  }
}

/** The size is only a guess: the file may grow, and a pipe has none. */
async function* chunksOf(file: Awaited<ReturnType<typeof open>>, size: number): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = new Uint8Array(Math.max(size + 1, chunkBytes));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

/** Reads a stream, and stops at the chunk that goes over the limit. */
export async function collect(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<BoundedBytes> {
  const read: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) return { tooLarge: true, sizeBytes: null };
    read.push(chunk);
  }
  return read.length === 1 && read[0] ? read[0] : Buffer.concat(read);
}
