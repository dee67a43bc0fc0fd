// Contents on the move between the database and a real S3 server, while they are published, read, purged and backed up.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";
import { uuidOf } from "@plinth/db/columns";
import { testDatabase } from "@plinth/db/test/database";
import { holdTransaction } from "@plinth/db/test/locks";
import { testSeed } from "@plinth/support/test-seed";

import { examine } from "../doctor/examine.ts";
import { moveContents } from "../jobs/move-contents.ts";
import { noDeadline } from "../retention/deadline.ts";
import { purge } from "../retention/purge.ts";
import { objectsLock, removeObjects } from "../retention/remove-objects.ts";
import { copyContents } from "./copy-contents.ts";
import { newObjectName, storedContent } from "./object-name.ts";
import { textOf } from "./pack.ts";
import { contentBytes } from "./stored-content.ts";
import { createStoredSetup, dayLater, random, thrownBy, type StoredSetup } from "./test/stored-setup.ts";

let stored: StoredSetup;
beforeAll(async () => {
  stored = await createStoredSetup();
});
afterAll(() => stored.close());

/** Copies what is in object storage back. */
const copyBack = async () => {
  const { db, fresh, storage } = stored;
  await copyContents(fresh(), storage.open(), "database");
  return db;
};

/** Has the artifact be deleted so long ago that it is purged. */
const endArtifact = (artifactId: string) =>
  stored.db.run("UPDATE artifact SET deleted_at = now() - interval '31 days' WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
  ]);

test("the sweep removes what no row names after a day, and nothing that is another's, young or named", async () => {
  const { db, storage } = stored;
  await stored.publish("# Named");
  await moveContents(db);
  const before = await stored.named();
  // The last one is of a process that was killed between the put and the row.
  const orphans = ["ab", "cd", "ef"].map((start) => newObjectName(start.repeat(32)));
  orphans.push(newObjectName((await stored.objectOf("# Named")).slice(0, 64)));
  const foreign = ["ab-foreign", "notes.txt"];
  for (const name of [...orphans, ...foreign]) await storage.bucket.put(name, random(10));
  const all = [...before, ...orphans, ...foreign].toSorted();

  expect(await removeObjects(db)).toBe(true);
  expect(await stored.objects()).toEqual(all);
  const reading = { ...db, objects: storage.open({ isReadOnly: true }) };
  expect(await removeObjects(reading, noDeadline, dayLater)).toBe(true);
  await holdTransaction(db.url, async (backup) => {
    await backup.run(`SELECT pg_advisory_xact_lock_shared(${objectsLock})`);
    expect(await removeObjects(db, noDeadline, dayLater)).toBe(true);
  });
  expect(await stored.objects()).toEqual(all);
  expect(await removeObjects(db, noDeadline, dayLater)).toBe(true);
  expect(await stored.objects()).toEqual([...before, ...foreign].toSorted());
  for (const name of foreign) await storage.bucket.remove(name);
});

test("the sweep goes through more than one page, and ends at its deadline between two", async () => {
  const { db, storage } = stored;
  const orphans = Array.from({ length: 1100 }, (_, n) => newObjectName(n.toString(16).padStart(64, "f")));
  for (let at = 0; at < orphans.length; at += 100)
    await Promise.all(orphans.slice(at, at + 100).map((name) => storage.bucket.put(name, new Uint8Array([1]))));
  expect(await removeObjects(db, { hasPassed: () => true }, dayLater)).toBe(false);
  expect((await stored.objects()).length).toBeGreaterThan((await stored.named()).length);
  expect(await removeObjects(db, noDeadline, dayLater)).toBe(true);
  expect(await stored.objects()).toEqual(await stored.named());
});

test("another database is refused the objects of this one, and a process that only reads puts and removes nothing", async () => {
  const { db, storage } = stored;
  const other = await testDatabase(storage.open());
  await expect(moveContents(other)).rejects.toThrow("belong to another database");
  await expect(removeObjects(other, noDeadline, dayLater)).rejects.toThrow("belong to another database");
  await other.drop();
  const { artifactId } = await stored.publish("# Read only");
  const reading = { ...db, objects: storage.open({ isReadOnly: true }) };
  expect([await moveContents(reading), await stored.inDatabase()]).toEqual([true, 1]);
  await moveContents(db);
  expect(await stored.read(artifactId, 1, reading)).toBe("# Read only");
});

test("a reader on the way to an object that is gone finds the bytes where they are now, or is told to ask again", async () => {
  const { db, storage, fresh } = stored;
  const { artifactId } = await stored.publish("# On the move");
  await moveContents(db);
  const statement = `SELECT ${storedContent} AS stored FROM content c WHERE sha256 = sha256('# On the move')`;
  const [row] = await db.run<{ stored: Uint8Array }>(statement);
  const seen = row?.stored ?? new Uint8Array();
  const read = async () => textOf(await contentBytes(fresh(), seen));
  await copyBack();
  await storage.bucket.remove(Buffer.from(seen).toString());
  expect(await read()).toBe("# On the move");
  await moveContents(db);
  expect(await read()).toBe("# On the move");
  await endArtifact(artifactId);
  await purge(db, "purged");
  expect(await thrownBy(read())).toMatchObject({ code: "unavailable", extra: { retryAfterSeconds: 2 } });
});

test("a copy that is ended anywhere goes on where it was", async () => {
  const { db, storage } = stored;
  await moveContents(db);
  for (let n = 0; n < 12; n++) await stored.publish(`# Part ${n}`);
  expect(await moveContents(db, { hasPassed: () => true })).toBe(false);
  expect(await stored.inDatabase()).toBe(8);
  await storage.cut();
  expect(await thrownBy(moveContents(db))).toMatchObject({ code: "unavailable" });
  await storage.restore();
  expect([await moveContents(db), await stored.inDatabase()]).toEqual([true, 0]);
});

test("of two copies of one content at the same time one switches its row, in each direction, and nothing is left over", async () => {
  const { db, storage, fresh } = stored;
  await moveContents(db);
  await removeObjects(db, noDeadline, dayLater);
  await stored.publish("# Copied twice");
  for (const to of ["s3", "database"] as const) {
    const copied = await holdTransaction(db.url, async (other) => {
      await other.run("SELECT 1 FROM content WHERE sha256 = sha256('# Copied twice') FOR UPDATE");
      const copies = [1, 2].map(() => copyContents(fresh(), storage.open(), to));
      await other.untilWaitedFor(...copies);
      await other.commit();
      return Promise.all(copies);
    });
    const all = await db.run("SELECT 1 FROM content");
    expect([to, copied.reduce((sum, one) => sum + one.copied, 0)]).toEqual([to, to === "s3" ? 1 : all.length]);
    if (to === "s3") expect(await stored.objects()).toEqual(await stored.named());
  }
  await moveContents(db);
  await removeObjects(db, noDeadline, dayLater);
});

/** A generator of numbers from 0 up to a bound (mulberry32). */
function numbersFrom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

test("60 rounds of one text that is published, purged, moved, copied back and read at once: a version's text is readable", async () => {
  console.error(`domain/storage/moved-contents: TEST_SEED=${testSeed}`);
  const { db, fresh } = stored;
  const number = numbersFrom(testSeed);
  const text = "# Gone and come again";
  let current = await stored.publish(text);
  const works: (() => Promise<unknown>)[] = [
    () => moveContents(fresh()),
    () => copyBack(),
    () => purge(db, "race"),
    () => stored.read(current.artifactId).then((got) => expect(got).toBe(text)),
  ];
  for (let round = 0; round < 60; round++) {
    if (number(2) === 0) await moveContents(db);
    await endArtifact(current.artifactId);
    const publishing = stored.publish(text);
    const others = Array.from({ length: 3 }, () => works[number(works.length)]?.());
    const outcomes = await Promise.allSettled([purge(db, "race"), ...others]);
    current = await publishing;
    for (const outcome of outcomes) {
      // A reader of the one that is purged.
      if (outcome.status === "rejected" && !(outcome.reason instanceof AppError)) throw outcome.reason;
      if (outcome.status === "rejected") expect(["not_found", "unavailable"]).toContain(outcome.reason.code);
    }
    expect(await stored.read(current.artifactId)).toBe(text);
    if (number(3) === 0) await removeObjects(db, noDeadline, dayLater);
    expect(await stored.read(current.artifactId)).toBe(text);
  }
  await removeObjects(db, noDeadline, dayLater);
  expect(await stored.objects()).toEqual(await stored.named());
  const findings = await examine(fresh(), { allObjects: true });
  expect(findings.filter(({ name, problems }) => problems > 0 && name.includes("content"))).toEqual([]);
});

test("copying forth and back while others publish and read: each text is readable at each moment", async () => {
  const { db, storage } = stored;
  const texts = new Map<string, string>();
  const add = async (n: number) => {
    const text = `# Text ${n}\n${random(2000).toString("base64")}`;
    texts.set((await stored.publish(text)).artifactId, text);
  };
  for (let n = 0; n < 20; n++) await add(n);
  let [isCopying, reads] = [true, 0];
  const reader = async () => {
    while (isCopying)
      for (const [artifactId, text] of [...texts]) {
        if ((await stored.read(artifactId)) !== text) throw new Error("another text was read");
        reads++;
      }
  };
  const publisher = async () => {
    // As many as copying can keep up with on any machine.
    for (let n = 20; isCopying && n < 60; n++) await add(n);
  };
  const copier = async () => {
    try {
      for (let round = 0; round < 2; round++) {
        await copyContents(db, storage.open(), "s3");
        // Two at once share the work.
        await Promise.all([copyBack(), copyBack()]);
      }
    } finally {
      isCopying = false;
    }
  };
  await Promise.all([copier(), reader(), reader(), publisher()]);
  expect(reads).toBeGreaterThan(20);
  await moveContents(db);
  expect(await stored.inDatabase()).toBe(0);
  for (const [artifactId, text] of texts) expect(await stored.read(artifactId)).toBe(text);
  await removeObjects(db, noDeadline, dayLater);
  expect(await stored.objects()).toEqual(await stored.named());
});
