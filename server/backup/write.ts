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

import { format, pieceBytes, pieceName, type Header, type Secrets, type TableHeader, type TableSum } from "./format.ts";
import { sealed } from "./seal.ts";
import { columnsOf, migrationsOf, tablesOf } from "./tables.ts";
import { wholeContents } from "./whole-contents.ts";

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
