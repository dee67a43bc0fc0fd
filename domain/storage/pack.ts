// Packs content for storage: its UTF-8 under zstd, by the SHA-256 of the UTF-8.

const level = 3;

/** A content ready to be stored. */
export interface Packed {
  /** Hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly data: Uint8Array;
}

/** What a renderer made of a source. */
export interface Rendering {
  readonly renderer: string;
  readonly data: Uint8Array;
}

/** A source ready to be written, with what a renderer made of it already. */
export interface PreparedSource extends Packed {
  readonly rendering: Rendering | null;
}

/** A content beside the text that it is. */
export interface PackedText extends Packed {
  readonly text: string;
}

/** The hash of a text in hex; that of the packed one where it is this text. */
export const hashOfText = (text: string, packed?: Pick<PackedText, "sha256" | "text">): string =>
  packed?.text === text ? packed.sha256 : new Bun.CryptoHasher("sha256").update(text).digest("hex");

const encoder = new TextEncoder();
/** The characters of a text that is packed while its caller is looked up. */
const shortTo = 16 * 1024;
/** From this many bytes on compression leaves the event loop: 10 KB take 60 µs, a third of what a publish takes of it. */
const offThreadFrom = 4 * 1024;

export const pack = (text: string): Promise<Packed> => packBytes(encoder.encode(text));

export const packBytes = async (bytes: Uint8Array<ArrayBuffer>): Promise<Packed> =>
  packedAs(bytes, await compressed(bytes));

const packedAs = (bytes: Uint8Array, data: Uint8Array): Packed => ({
  sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
  sizeBytes: bytes.length,
  data,
});

export const isShort = (text: string): boolean => text.length <= shortTo;

/** At once: for a short text, or where there is no event loop to keep free. */
export function packSync(text: string): Packed & { readonly data: Uint8Array<ArrayBuffer> } {
  const bytes = encoder.encode(text);
  const data = new Uint8Array(Bun.zstdCompressSync(bytes, { level }));
  return { ...packedAs(bytes, data), data };
}

/** A text as it is stored. */
export const packText = (text: string): Promise<Uint8Array> => compressed(encoder.encode(text));

/** Bytes as they are stored. */
export async function compressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return bytes.length < offThreadFrom ? Bun.zstdCompressSync(bytes, { level }) : Bun.zstdCompress(bytes, { level });
}

/** For a process without an event loop to keep free: 2 MiB of text take 10 ms. */
export const unpackSync = (data: Uint8Array): Uint8Array => Bun.zstdDecompressSync(data);

/** From so many bytes on decompression leaves the event loop. */
const unpackOffThreadFrom = 16 * 1024;

/** At once for a small content, and by a promise for a large one. */
export const unpack = (data: Uint8Array): Uint8Array | Promise<Uint8Array> =>
  data.length < unpackOffThreadFrom ? unpackSync(data) : Bun.zstdDecompress(data);

/** The text as it was published: a byte order mark at its beginning is part of it. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
