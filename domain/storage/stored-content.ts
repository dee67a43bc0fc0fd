// The bytes of a content wherever they are: in its row, or in the object that the row names (storage/object-name.ts).
import type { Database } from "@plinth/db/connection";

import { hashOfObject, objectNameIn, storedContent } from "./object-name.ts";
import { contentRemoved } from "./object-trouble.ts";
import { unpack } from "./pack.ts";

/**
 * The bytes under zstd of what a statement read as `storedContent`. @throws unavailable where object storage is away;
 * Error where the object is missing or broken
 */
export function packedContent(db: Database, stored: Uint8Array): Uint8Array | Promise<Uint8Array> {
  const name = objectNameIn(stored);
  return name === null ? stored : fromObject(db, name);
}

/** The bytes themselves: at once for a small content in its row, otherwise by a promise. Throws as `packedContent` does. */
export function contentBytes(db: Database, stored: Uint8Array): Uint8Array | Promise<Uint8Array> {
  const name = objectNameIn(stored);
  return name === null ? unpack(stored) : fromObject(db, name).then(unpack);
}

/** `c` as `storedContent` names it. */
const rowStatement = `SELECT ${storedContent} AS stored FROM content c WHERE c.sha256 = decode($1, 'hex')`;

/** Where the object is missing, the row is read again: it was purged, or its bytes are elsewhere since. */
async function fromObject(db: Database, name: string): Promise<Uint8Array> {
  const found = await getObject(db, name);
  if (found !== null) return found;
  const [row] = await db.run<{ stored: Uint8Array }>(rowStatement, [hashOfObject(name)]);
  if (row === undefined) throw contentRemoved();
  const now = objectNameIn(row.stored);
  if (now === null) return row.stored;
  const moved = now === name ? null : await getObject(db, now);
  if (moved === null) throw new Error(`The object ${now} of a content is missing`);
  return moved;
}

function getObject({ objects }: Database, name: string): Promise<Uint8Array | null> {
  if (objects === null) throw new Error("A content is in object storage, and CONTENT_STORE does not say where");
  return objects.get(name);
}
