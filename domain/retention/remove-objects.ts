// Removes the objects that no content names: those of purged contents, of contents that were copied back, and of copies that
// were ended before a row named them (docs/architecture/content-store.md).
import type { Database } from "@plinth/db/connection";
import type { ObjectStore } from "@plinth/db/object-store";

import { isObjectName } from "../storage/object-name.ts";
import { claimObjects } from "../storage/object-owner.ts";
import { noDeadline, type Deadline } from "./deadline.ts";

/**
 * A copy needs seconds between the put and its row; the rest of the day is for the store's clock.
 */
const unnamedMs = 24 * 60 * 60_000;

const removedAtOnce = 16;

/** A backup holds it shared, because the objects of its moment must stay until it has read them. */
export const objectsLock = "hashtextextended('plinth:objects', 0)";

const namedStatement = `
SELECT n.name FROM json_array_elements_text($1::text::json) AS n(name)
JOIN content c ON c.sha256 = decode(left(n.name, 64), 'hex') AND c.object = n.name`;

/**
 * Whether it came to the end; the next run goes on where it was. Does nothing while a backup is taken. @throws unavailable
 */
export async function removeObjects(
  db: Database,
  deadline: Deadline = noDeadline,
  now = (): number => Date.now(),
): Promise<boolean> {
  const { objects } = db;
  if (objects?.takesNew !== true) return true;
  await claimObjects(db, objects);
  while (await removePage(db, objects, now() - unnamedMs)) if (deadline.hasPassed()) return false;
  return true;
}

/** Whether there may be a further page; none follows while a backup is taken. */
const removePage = (db: Database, objects: ObjectStore, putBefore: number): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [lock] = await tx.run<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${objectsLock}) AS taken`);
    if (lock?.taken !== true) return false;
    const [store] = await tx.run<{ swept_to: string | null }>("SELECT swept_to FROM content_store");
    const page = await objects.list(store?.swept_to ?? null);
    const old = page.filter(({ name, putAt }) => isObjectName(name) && putAt.getTime() < putBefore);
    await removeUnnamed(
      tx,
      objects,
      old.map(({ name }) => name),
    );
    const last = page.at(-1)?.name ?? null;
    await tx.run("UPDATE content_store SET swept_to = $1", [last]);
    return last !== null;
  });

async function removeUnnamed(tx: Database, objects: ObjectStore, names: readonly string[]): Promise<void> {
  const rows = await tx.run<{ name: string }>(namedStatement, [JSON.stringify(names)]);
  const named = new Set(rows.map(({ name }) => name));
  const unnamed = names.filter((name) => !named.has(name));
  for (let at = 0; at < unnamed.length; at += removedAtOnce)
    await Promise.all(unnamed.slice(at, at + removedAtOnce).map((name) => objects.remove(name)));
}
