// The end of a backup: the SHA-256 of all bytes before it, in a frame that zstd skips. A file without it is truncated,
// and a file with another hash is altered.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

import { BrokenBackup } from "./format.ts";

/** A skippable frame of 32 bytes (RFC 8878 3.1.2). */
const head = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
const sealBytes = head.length + 32;

/** Yields the bytes, then the seal. */
export async function* sealed(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  yield Buffer.concat([head, hash.digest()]);
}

/**
 * Yields the bytes before the seal. @throws BrokenBackup after the last of them, where they are not the sealed bytes
 */
export async function* unsealed(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size <= sealBytes) throw new BrokenBackup("it is cut off, or no backup");
    const seal = Buffer.alloc(sealBytes);
    await file.read(seal, 0, sealBytes, size - sealBytes);
    if (!seal.subarray(0, head.length).equals(head)) throw new BrokenBackup("it is cut off, or no backup");
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path, { end: size - sealBytes - 1 }) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
    if (!hash.digest().equals(seal.subarray(head.length))) throw new BrokenBackup("it has been altered");
  } finally {
    await file.close();
  }
}
