// A backup of contents in object storage has their bytes, and is restored without the storage.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { uuidOf } from "@plinth/db/columns";
import { connect } from "@plinth/db/connection";
import { testDatabase } from "@plinth/db/test/database";
import { examine } from "@plinth/domain/doctor/examine";
import { moveContents } from "@plinth/domain/jobs/move-contents";
import { noDeadline } from "@plinth/domain/retention/deadline";
import { purge } from "@plinth/domain/retention/purge";
import { removeObjects } from "@plinth/domain/retention/remove-objects";
import { createStoredSetup, dayLater, random, type StoredSetup } from "@plinth/domain/storage/test/stored-setup";
import { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";

import { nowhere, readBackup } from "./read.ts";
import { restoreInto } from "./restore.ts";
import { storeFile } from "./store-file.ts";
import { columnsOf, tablesOf } from "./tables.ts";
import { backupOf, wholeContents } from "./write.ts";

const scratch = mkdtempSync(join(tmpdir(), "plinth-test-"));
const file = join(scratch, "objects.backup");
let stored: StoredSetup;
beforeAll(async () => {
  stored = await createStoredSetup();
  for (let n = 0; n < 20; n++) await stored.publish(`# Moved ${n}\n${random(n * 400).toString("hex")}`);
  await moveContents(stored.db);
  await stored.publish("# Still in the database");
});
afterAll(async () => {
  await stored.close();
  rmSync(scratch, { recursive: true });
});

async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: stored.db.url });
  await client.connect();
  return work(client).finally(() => client.end());
}

const take = (objects: typeof stored.db.objects) =>
  withClient((client) => storeFile(file, backupOf({ client, program: "1.2.3", secrets: {}, objects })));

const contentsOf = `SELECT encode(sha256, 'hex') AS sha256, size_bytes, data IS NULL AS is_object FROM content ORDER BY 1`;

test("what is in objects is restored into the database, with every byte, and moves to another storage from there", async () => {
  const before = await stored.db.run<{ is_object: boolean }>(contentsOf);
  expect(before.filter(({ is_object }) => is_object)).toHaveLength(20);
  await take(stored.storage.open());
  const empty = await testDatabase();
  const { header } = await readBackup(file, nowhere);
  await restoreInto(empty.url, empty, file, header);
  expect(await empty.run(contentsOf)).toEqual(before.map((row) => ({ ...row, is_object: false })));
  expect((await examine(empty)).filter(({ problems }) => problems > 0)).toEqual([]);
  // Beside the first database, whose objects it must not touch.
  const beside = connect({ url: empty.url, objects: stored.storage.open() });
  await expect(moveContents(beside)).rejects.toThrow("belong to another database");
  const elsewhere = { ...stored.storage.settings, prefix: `${stored.storage.settings.prefix}restored/` };
  const moved = connect({ url: empty.url, objects: stored.storage.open(elsewhere) });
  expect(await moveContents(moved)).toBe(true);
  expect((await examine(moved, { allObjects: true })).filter(({ problems }) => problems > 0)).toEqual([]);
  await Promise.all([beside.close(), moved.close()]);
  await empty.drop();
});

test("a content that is purged while a backup is taken keeps its object until the backup has read it", async () => {
  const { db, storage } = stored;
  const gone = await stored.publish("# Purged meanwhile");
  await moveContents(db);
  const object = await stored.objectOf("# Purged meanwhile");
  const purgeIt = async () => {
    await db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
      uuidOf("art", gone.artifactId),
    ]);
    await purge(db, "purged");
    await removeObjects(db, noDeadline, dayLater);
  };
  let purged: Promise<void> | undefined;
  const objects = storage.open();
  // The first object is read after the moment that the backup is of.
  const get = async (name: string) => {
    await (purged ??= purgeIt());
    return objects.get(name);
  };
  await take({ ...objects, get });
  expect(await stored.objectOf("# Purged meanwhile")).toBe("none");
  expect(await stored.objects()).toContain(object);
  expect(await removeObjects(db, noDeadline, dayLater)).toBe(true);
  expect(await stored.objects()).not.toContain(object);
});

test("a backup without its object storage, or of an object that is missing, fails and leaves no file", async () => {
  await expect(take(null)).rejects.toThrow("CONTENT_STORE must be set");
  const [name = ""] = await stored.named();
  const bytes = await stored.storage.open().get(name);
  await stored.storage.bucket.remove(name);
  await expect(take(stored.storage.open())).rejects.toThrow(`The object ${name} of a content is missing`);
  await stored.storage.bucket.put(name, bytes ?? new Uint8Array());
});

test("rows are whole wherever the pieces of a COPY end, and a COPY that is cut off is refused", async () => {
  await withClient(async (client) => {
    const table = (await tablesOf(client)).find(({ name }) => name === "content");
    if (table === undefined) throw new Error("there is no table of contents");
    const copy = client.query(copyTo(`COPY ${columnsOf(table)} TO STDOUT (FORMAT binary)`));
    const all = Buffer.concat(await Array.fromAsync(copy as AsyncIterable<Buffer>));
    const inPieces = async function* (length: number) {
      for (let at = 0; at < all.length; at += length) yield all.subarray(at, at + length);
    };
    const objects = stored.storage.open();
    const whole = async (length: number) =>
      Buffer.concat(await Array.fromAsync(wholeContents(inPieces(length), table, objects)));
    const expected = await whole(all.length);
    expect(expected.length).toBeGreaterThan(all.length);
    for (const length of [1, 2, 3, 7, 64, 1000, 5000]) expect((await whole(length)).equals(expected)).toBe(true);
    // Without objects it is what it was.
    const again = Array.fromAsync(wholeContents(once(expected), table, null));
    expect(Buffer.concat(await again).equals(expected)).toBe(true);
    await expect(Array.fromAsync(wholeContents(once(all.subarray(0, -1)), table, objects))).rejects.toThrow("cut off");
  });
});

async function* once(bytes: Buffer) {
  yield bytes;
}
