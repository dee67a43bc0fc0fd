// The table `content` of a backup with all bytes in it: those of objects are read while its COPY passes by, so that a backup
// needs no object storage to be restored. It reads and writes COPY's binary form (PostgreSQL's manual, "COPY").
import type { ObjectStore } from "@plinth/db/object-store";

import type { TableHeader } from "./format.ts";

/** Objects read ahead: as many are in memory. */
const readAhead = 8;
/** Signature, flags, and the length of an extension that PostgreSQL does not write. */
const headBytes = 19;

type Field = Buffer | null;

/** @throws Error where an object is missing, or where contents are in object storage and `objects` is null */
export async function* wholeContents(
  copy: AsyncIterable<Buffer>,
  { columns }: TableHeader,
  objects: ObjectStore | null,
): AsyncGenerator<Buffer> {
  const [data, object] = [columns.indexOf("data"), columns.indexOf("object")];
  const ahead: Promise<Buffer>[] = [];
  for await (const part of partsOf(copy)) {
    const next = "fields" in part ? wholeRow(part.fields, { data, object }, objects) : Promise.resolve(part.bytes);
    // Its error is thrown where it is waited for, which may be later.
    next.catch(() => undefined);
    ahead.push(next);
    const first = ahead.length < readAhead ? undefined : ahead.shift();
    if (first !== undefined) yield await first;
  }
  for (const next of ahead) yield await next;
}

async function wholeRow(
  fields: Field[],
  at: { readonly data: number; readonly object: number },
  objects: ObjectStore | null,
): Promise<Buffer> {
  const name = fields[at.object]?.toString() ?? null;
  if (name === null) return rowOf(fields);
  if (objects === null)
    throw new Error("Contents are in object storage: CONTENT_STORE must be set as it is for the instance");
  const bytes = await objects.get(name);
  if (bytes === null) throw new Error(`The object ${name} of a content is missing`);
  return rowOf(fields.with(at.data, Buffer.from(bytes)).with(at.object, null));
}

function rowOf(fields: readonly Field[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(field?.length ?? -1);
    return field === null ? [length] : [length, field];
  });
  return Buffer.concat([count, ...parts]);
}

/** A row, or bytes that belong to none: the head and the end. */
type Part = { readonly fields: Field[] } | { readonly bytes: Buffer };

async function* partsOf(copy: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  let held: Buffer[] = [];
  let [size, needed, isHead] = [0, headBytes, true];
  for await (const chunk of copy) {
    held.push(chunk);
    size += chunk.length;
    if (size < needed) continue;
    let bytes = Buffer.concat(held);
    if (isHead) {
      yield { bytes: bytes.subarray(0, headBytes) };
      bytes = bytes.subarray(headBytes);
      isHead = false;
    }
    let row = readRow(bytes);
    while (typeof row !== "number") {
      yield row.part;
      bytes = bytes.subarray(row.length);
      row = readRow(bytes);
    }
    [held, size, needed] = [[bytes], bytes.length, row];
  }
  if (size > 0) throw new Error("The COPY of contents is cut off");
}

/** The first part, or how many bytes it has at least where there are fewer. */
function readRow(bytes: Buffer): { readonly part: Part; readonly length: number } | number {
  if (bytes.length < 2) return 2;
  const count = bytes.readInt16BE(0);
  if (count === -1) return { part: { bytes: bytes.subarray(0, 2) }, length: 2 };
  const fields: Field[] = [];
  let at = 2;
  while (fields.length < count) {
    if (bytes.length < at + 4) return at + 4;
    const length = bytes.readInt32BE(at);
    const end = at + 4 + Math.max(length, 0);
    if (bytes.length < end) return end;
    fields.push(length === -1 ? null : bytes.subarray(at + 4, end));
    at = end;
  }
  return { part: { fields }, length: at };
}
