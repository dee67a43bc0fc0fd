// Finds stored contents that do not match their hash: read in batches, so that memory does not grow with the store.
// Objects need a request each, so a sample of them is read unless all are asked for.
import type { Database } from "@plinth/db/connection";

import { BrokenObject } from "../storage/verified-store.ts";
import { unpackSync } from "../storage/pack.ts";

const batch = 50;
/** Requests for objects at the same time. */
const objectsAtOnce = 8;

interface Row {
  sha256: Uint8Array;
  data: Uint8Array;
  size_bytes: number;
}

/** The hashes, hex, of contents in the database that do not match theirs or are of another size, as they are found. */
export async function* brokenContents(db: Database): AsyncGenerator<string> {
  let after: Uint8Array = new Uint8Array();
  for (;;) {
    const rows = await db.run<Row>(
      `SELECT sha256, data, size_bytes FROM content
       WHERE object IS NULL AND sha256 > $1 ORDER BY sha256 LIMIT ${batch}`,
      [after],
    );
    for (const { sha256, data, size_bytes: sizeBytes } of rows) {
      if (!isWhole(sha256, data, sizeBytes)) yield Buffer.from(sha256).toString("hex");
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sha256;
  }
}

function isWhole(sha256: Uint8Array, data: Uint8Array, sizeBytes: number): boolean {
  try {
    const bytes = unpackSync(data);
    return (
      bytes.length === sizeBytes && Buffer.from(sha256).equals(new Bun.CryptoHasher("sha256").update(bytes).digest())
    );
  } catch {
    return false; // Not even zstd: as broken as another hash.
  }
}

interface ObjectRow {
  readonly sha256: Uint8Array;
  readonly object: string;
  readonly size_bytes: number;
}

const objectColumns = "sha256, object, size_bytes FROM content WHERE object IS NOT NULL";
const nextStatement = `SELECT ${objectColumns} AND sha256 > $1 ORDER BY sha256 LIMIT ${objectsAtOnce}`;
const sampleStatement = `SELECT ${objectColumns} ORDER BY sha256 < $1, sha256 LIMIT $2`;

/** The contents whose object is missing or broken, as they are found. @throws unavailable where the storage is away */
export async function* brokenObjects(db: Database): AsyncGenerator<string> {
  for (let after: Uint8Array | undefined = new Uint8Array(); after !== undefined;) {
    const rows: ObjectRow[] = await db.run<ObjectRow>(nextStatement, [after]);
    yield* await brokenOf(db, rows);
    after = rows.at(-1)?.sha256;
  }
}

/** The same of that many contents, from a random one on. */
export async function* brokenObjectsIn(db: Database, sample: number): AsyncGenerator<string> {
  const rows = await db.run<ObjectRow>(sampleStatement, [crypto.getRandomValues(new Uint8Array(32)), sample]);
  for (let at = 0; at < rows.length; at += objectsAtOnce) yield* await brokenOf(db, rows.slice(at, at + objectsAtOnce));
}

async function brokenOf(db: Database, rows: readonly ObjectRow[]): Promise<string[]> {
  const problems = await Promise.all(
    rows.map(async (row) => {
      const problem = await problemOf(db, row);
      return problem === null ? [] : [`${Buffer.from(row.sha256).toString("hex")} ${problem}`];
    }),
  );
  return problems.flat();
}

async function problemOf({ objects }: Database, { object, size_bytes }: ObjectRow): Promise<string | null> {
  if (objects === null) return "is in object storage, and CONTENT_STORE is not set";
  try {
    const data = await objects.get(object);
    if (data === null) return "has no object";
    return unpackSync(data).length === size_bytes ? null : "has an object of another size";
  } catch (error) {
    if (error instanceof BrokenObject) return "has an object with other bytes";
    throw error;
  }
}
