// Claims the objects of a store for one database. Each database removes objects that none of its rows names, so two
// databases with one store would remove each other's objects.
import type { Database } from "@plinth/db/connection";
import type { ObjectStore } from "@plinth/db/object-store";

/** The object beside the contents that has the database's identifier. */
export const marker = "owner";

/** Says that the objects are this database's, where they have no owner. @throws Error where they are another's */
export async function claimObjects(db: Database, objects: ObjectStore): Promise<void> {
  const storeId = await storeIdOf(db);
  if ((await objects.get(marker)) === null) await objects.put(marker, Buffer.from(storeId));
  const owner = await objects.get(marker);
  if (owner === null || Buffer.from(owner).toString() !== storeId)
    throw new Error(
      `The objects of CONTENT_STORE belong to another database. Give this one another prefix; ` +
        `or, where the other one is gone, remove the object "${marker}" to take them over`,
    );
}

/** @throws Error where contents are in object storage and it is not said where: their readers would get errors alone */
export async function requireObjectStore(db: Database): Promise<void> {
  if (db.objects !== null) return;
  // Looked at first, because looking for a content that names an object reads the whole table where there is none.
  if ((await db.run("SELECT FROM content_store")).length === 0) return;
  if ((await db.run("SELECT FROM content WHERE object IS NOT NULL LIMIT 1")).length === 0) return;
  throw new Error("CONTENT_STORE must be set: contents of this database are in object storage");
}

/** A restored database has another one than the database that was backed up. */
async function storeIdOf(db: Database): Promise<string> {
  await db.run("INSERT INTO content_store DEFAULT VALUES ON CONFLICT DO NOTHING");
  const [row] = await db.run<{ store_id: string }>("SELECT store_id FROM content_store");
  if (row === undefined) throw new Error("The database has no identifier for its objects");
  return row.store_id;
}
