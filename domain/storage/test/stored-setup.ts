// An instance with its own object storage, and what tests ask of the two.
import type { Database } from "@plinth/db/connection";

import { createLoad } from "../../access/load.ts";
import { createSetup } from "../../test/context.ts";
import { openObjectStorage } from "../../test/object-storage.ts";
import { createContentCache } from "../cache.ts";
import { textOf } from "../pack.ts";

export type StoredSetup = Awaited<ReturnType<typeof createStoredSetup>>;

export async function createStoredSetup() {
  const storage = await openObjectStorage();
  const setup = await createSetup({}, undefined, storage.open());
  const owner = await setup.person();
  const { slug } = await setup.project(owner.token);
  const { db } = setup;
  const stored = {
    storage,
    setup,
    owner,
    db,
    /** The same database as a process sees it that has read nothing yet. */
    fresh: (): Database => ({ ...db, objects: storage.open() }),
    publish: (content: string) => setup.publish(owner.token, slug, { content }),
    /** The text of a version as a process reads it that has read nothing yet. */
    async read(artifactId: string, version = 1, by: Database = stored.fresh()): Promise<string> {
      const cache = createContentCache();
      const instance = { ...setup.instance, db: by, cache, load: createLoad(by, cache) };
      const input = { artifactId, version };
      const { value } = await setup.answerOf(instance, "version.content", input, { as: owner.token });
      return textOf((value as { bytes: Uint8Array }).bytes);
    },
    /** How many contents have their bytes in the database. */
    inDatabase: async () => (await db.run("SELECT 1 FROM content WHERE object IS NULL")).length,
    /** The objects that contents name. */
    async named(): Promise<string[]> {
      const rows = await db.run<{ object: string }>(
        'SELECT object FROM content WHERE object IS NOT NULL ORDER BY object COLLATE "C"',
      );
      return rows.map(({ object }) => object);
    },
    /** The objects in the bucket. */
    objects: async () => (await storage.bucket.names()).filter((name) => name !== "owner"),
    async objectOf(content: string): Promise<string> {
      const [row] = await db.run<{ object: string | null }>(
        "SELECT object FROM content WHERE sha256 = sha256(convert_to($1::text, 'UTF8'))",
        [content],
      );
      return row?.object ?? "none";
    },
    async close() {
      await setup.close();
      await storage.close();
    },
  };
  return stored;
}

/** What the work throws; null where it throws nothing. */
export const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/** The clock when everything that was put now may be removed. */
export const dayLater = (): number => Date.now() + 25 * 60 * 60_000;

export const random = (bytes: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
