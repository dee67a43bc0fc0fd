// Copies the bytes of contents between their rows and object storage while both are in use. A content is readable at each
// moment: its row is switched once the copy is there and verified, and what it no longer names is left for readers who are
// on their way to it (retention/remove-objects.ts). A copy that is ended anywhere goes on where it was.
import type { Database } from "@plinth/db/connection";
import type { ObjectStore } from "@plinth/db/object-store";

import { newObjectName } from "./object-name.ts";
import { BrokenObject, isContentOf } from "./verified-store.ts";

export type ContentPlace = "s3" | "database";

export interface CopyProgress {
  /** Contents whose row was switched. */
  readonly copied: number;
  /** Of those under zstd. */
  readonly bytes: number;
  /** The hashes (hex) of contents that stay where they are, because they are missing or not what their hash says. */
  readonly broken: readonly string[];
  /** Whether none is left elsewhere that could be copied. */
  readonly isDone: boolean;
}

export interface CopyOptions {
  /** Checked between batches. */
  readonly deadline?: { readonly hasPassed: () => boolean };
  /** Called after each batch. */
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** Hashes read at once, and contents copied at once: as many are in memory. */
const [batch, atOnce] = [200, 4];

interface Row {
  readonly sha256: string;
  readonly object: string | null;
}

const rowsStatement = `
SELECT encode(sha256, 'hex') AS sha256, object FROM content
WHERE sha256 > decode($1, 'hex') AND (object IS NULL) = $2
ORDER BY sha256 LIMIT ${batch}`;

/** Copies all contents that are elsewhere. @throws unavailable where object storage is away, after what was copied */
export async function copyContents(
  db: Database,
  objects: ObjectStore,
  to: ContentPlace,
  { deadline, onProgress }: CopyOptions = {},
): Promise<CopyProgress> {
  const done = { copied: 0, bytes: 0, broken: [] as string[], isDone: false };
  const copy = to === "s3" ? copyToObject : copyToRow;
  const copyOne = async (row: Row): Promise<void> => {
    const bytes = await copy(db, objects, row);
    if (bytes === "broken") done.broken.push(row.sha256);
    else if (bytes !== "elsewhere") {
      done.copied++;
      done.bytes += bytes;
    }
  };
  for (let after = ""; ;) {
    const rows = await db.run<Row>(rowsStatement, [after, to === "s3"]);
    const last = rows.at(-1);
    if (last === undefined) return { ...done, isDone: true };
    for (let at = 0; at < rows.length; at += atOnce) {
      await allOf(rows.slice(at, at + atOnce).map(copyOne));
      if (deadline?.hasPassed() === true) return done;
    }
    onProgress?.(done);
    after = last.sha256;
  }
}

/** Unlike `Promise.all` none is still under way when it throws. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === "rejected") throw outcome.reason;
}

/** The bytes under zstd that were copied; `elsewhere` where the content was purged or switched at the same time. */
type Outcome = number | "broken" | "elsewhere";

const dataStatement = "SELECT data FROM content WHERE sha256 = decode($1, 'hex') AND object IS NULL";
const toObjectStatement = `
UPDATE content SET data = NULL, object = $2 WHERE sha256 = decode($1, 'hex') AND object IS NULL RETURNING object`;

/** The object is read back before its row names it. */
async function copyToObject(db: Database, objects: ObjectStore, { sha256 }: Row): Promise<Outcome> {
  const [row] = await db.run<{ data: Uint8Array }>(dataStatement, [sha256]);
  if (row === undefined) return "elsewhere";
  if (!(await isContentOf(sha256, row.data))) return "broken";
  const name = newObjectName(sha256);
  await objects.put(name, row.data);
  if ((await objects.get(name)) === null) throw new Error(`The object ${name} is missing after it was put`);
  const switched = await db.run(toObjectStatement, [sha256, name]);
  if (switched.length > 0) return row.data.length;
  // No row has ever named it.
  await objects.remove(name);
  return "elsewhere";
}

const toRowStatement = `
UPDATE content SET data = $2::bytea, object = NULL WHERE sha256 = decode($1, 'hex') AND object = $3 RETURNING 1`;

async function copyToRow(db: Database, objects: ObjectStore, { sha256, object }: Row): Promise<Outcome> {
  if (object === null) return "elsewhere";
  const data = await objects.get(object).catch((error: unknown) => {
    if (error instanceof BrokenObject) return null;
    throw error;
  });
  const switched = data === null ? [] : await db.run(toRowStatement, [sha256, data, object]);
  if (data !== null && switched.length > 0) return data.length;
  return data === null && (await isNamed(db, object)) ? "broken" : "elsewhere";
}

const isNamed = async (db: Database, object: string): Promise<boolean> =>
  (await db.run("SELECT 1 FROM content WHERE sha256 = decode(left($1, 64), 'hex') AND object = $1", [object])).length >
  0;
