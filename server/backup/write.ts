// Writes a backup: every table at the same moment, while other processes continue to write. It holds one piece of a
// table in memory.
import { createHash } from "node:crypto";
import { pipeline, type Readable } from "node:stream";
import { constants, createZstdCompress } from "node:zlib";

import type { ObjectStore } from "@plinth/db/object-store";
import { objectsLock } from "@plinth/domain/retention/remove-objects";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { pack as createPack, type Pack } from "tar-stream";

import { format, type Header, pieceBytes, pieceName, type Secrets, type TableHeader, type TableSum } from "./format.ts";
import { sealed } from "./seal.ts";
import { columnsOf, migrationsOf, tablesOf } from "./tables.ts";

// The table `content` of a backup with all bytes in it: those of objects are read while its COPY passes by, so that a backup
// needs no object storage to be restored. It reads and writes COPY's binary form (PostgreSQL's manual, "COPY").

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

interface What {
  readonly client: Client;
  readonly program: string;
  readonly secrets: Secrets;
  /** Has the contents that are not in the database; null where all are. */
  readonly objects?: ObjectStore | null;
  /** Called after each table is written. */
  readonly onTable?: (name: string, sum: TableSum) => void;
}

/** The bytes of a backup, generated as they are read. */
export function backupOf(what: What): AsyncIterable<Uint8Array> {
  const pack = createPack();
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  // An error of any stream destroys the last one with the reason, and the reader of that receives it.
  pipeline(pack as unknown as Readable, compress, () => undefined);
  void fill(pack, what).then(
    () => pack.finalize(),
    (error: unknown) => compress.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return sealed(compress);
}

async function fill(pack: Pack, { client, program, secrets, objects = null, onTable }: What): Promise<void> {
  // Until the client ends: no object of this moment is removed before it is read.
  await client.query(`SELECT pg_advisory_lock_shared(${objectsLock})`);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const header: Header = {
    format,
    program,
    madeAt: new Date().toISOString(),
    migrations: await migrationsOf(client),
    tables: await tablesOf(client),
  };
  await addEntry(pack, "header.json", text(header));
  const tables: Record<string, TableSum> = {};
  for (const table of header.tables) {
    const sum = await addTable(pack, client, table, objects);
    tables[table.name] = sum;
    onTable?.(table.name, sum);
  }
  await client.query("COMMIT");
  await addEntry(pack, "secrets.json", text(secrets));
  await addEntry(pack, "manifest.json", text({ tables }));
}

async function addTable(
  pack: Pack,
  client: Client,
  table: TableHeader,
  objects: ObjectStore | null,
): Promise<TableSum> {
  const isPartial = table.name === "content" && (await hasObjects(client, table));
  const copy = client.query(copyTo(`COPY ${columnsOf(table)} TO STDOUT (FORMAT binary)`));
  const hash = createHash("sha256");
  let [held, heldBytes, bytes, pieces]: [Buffer[], number, number, number] = [[], 0, 0, 0];
  const flush = async () => {
    await addEntry(pack, pieceName(table.name, pieces++), Buffer.concat(held));
    [held, heldBytes] = [[], 0];
  };
  const chunks = copy as AsyncIterable<Buffer>;
  for await (const chunk of isPartial ? wholeContents(chunks, table, objects) : chunks) {
    hash.update(chunk);
    held.push(chunk);
    heldBytes += chunk.length;
    bytes += chunk.length;
    if (heldBytes >= pieceBytes) await flush();
  }
  if (heldBytes > 0) await flush();
  return { rows: copy.rowCount, bytes, sha256: hash.digest("hex") };
}

/** The table of an older program has no column for objects. */
const hasObjects = async (client: Client, { columns }: TableHeader): Promise<boolean> =>
  columns.includes("object") &&
  (await client.query("SELECT FROM content WHERE object IS NOT NULL LIMIT 1")).rows.length > 0;

const text = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

/** Resolves when the reader of the bytes has room for more. */
function addEntry(pack: Pack, name: string, content: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const entry = pack.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()));
  // Without a reader, an entry in progress is aborted and this listener receives the error.
  entry.on("error", reject);
  return promise;
}
