// How content is kept: its UTF-8 under zstd, by the SHA-256 of the UTF-8.

const level = 3;

/** A content ready to be stored. */
export interface Packed {
  /** Hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly data: Uint8Array;
}

const encoder = new TextEncoder();
/** Above this many bytes compression leaves the event loop (about 1 ms). */
const offThreadFrom = 128 * 1024;

export async function pack(text: string): Promise<Packed> {
  const bytes = encoder.encode(text);
  const data =
    bytes.length < offThreadFrom ? Bun.zstdCompressSync(bytes, { level }) : await Bun.zstdCompress(bytes, { level });
  return { sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"), sizeBytes: bytes.length, data };
}

export const unpack = (data: Uint8Array): Uint8Array => Bun.zstdDecompressSync(data);

/** The text as it was published: a byte order mark at its beginning is part of it. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
