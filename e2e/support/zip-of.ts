// Zips for tests, also such as no program writes: an entry says of itself what its test gives.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  readonly isStored?: boolean;
  /** What the list says in place of the truth. */
  readonly sizeBytes?: number;
  readonly crc?: number;
  readonly method?: number;
  readonly flags?: number;
  /** Of Unix, as in `0o120777` for a link. */
  readonly mode?: number;
}

const encoder = new TextEncoder();
const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? encoder.encode(text) : text);

function fields(...values: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  const written = Buffer.alloc(values.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of values) at = written.writeUIntLE(value, at, bytes);
  return written;
}

export function zipOf(parts: readonly ZipPart[], { comment = "" }: { comment?: string } = {}): Uint8Array<ArrayBuffer> {
  const before: Uint8Array[] = [];
  const list: Uint8Array[] = [];
  let at = 0;
  for (const part of parts) {
    const { isStored = false, flags = 0x800, mode = 0o100644 } = part;
    const [name, content] = [bytesOf(part.name), bytesOf(part.content ?? "")];
    const packed = isStored ? content : deflateRawSync(content);
    const sizes = [
      [part.crc ?? crc32(content), 4],
      [packed.length, 4],
      [part.sizeBytes ?? content.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const;
    const method = [part.method ?? (isStored ? 0 : 8), 2] as const;
    const head = [[20, 2], [flags, 2], method, [0, 4], ...sizes] as const;
    before.push(fields([0x04034b50, 4], ...head), name, packed);
    list.push(
      fields([0x02014b50, 4], [0x031e, 2], ...head, [0, 2], [0, 2], [0, 2], [mode * 0x10000, 4], [at, 4]),
      name,
    );
    at += 30 + name.length + packed.length;
  }
  const listBytes = list.reduce((sum, { length }) => sum + length, 0);
  const count = parts.length;
  const end = fields(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [listBytes, 4],
    [at, 4],
    [comment.length, 2],
  );
  return new Uint8Array(Buffer.concat([...before, ...list, end, encoder.encode(comment)]));
}
