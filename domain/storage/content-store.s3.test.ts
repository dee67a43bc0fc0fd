// Contents in a real S3 server are read as those in the database, and its outages and damages are told for what they are.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";
import { filesLimits } from "@plinth/contract/limits";
import type { Database } from "@plinth/db/connection";

import { examine } from "../doctor/examine.ts";
import { imageFile } from "../images/image-file.ts";
import { keepImage } from "../images/resolve.ts";
import { moveContents } from "../jobs/move-contents.ts";
import { runJob } from "../jobs/run.ts";
import { writeSearchDocuments } from "../jobs/search-document.ts";
import { keepFiles } from "../packages/keep.ts";
import { packageFile } from "../packages/package-file.ts";
import { exportPackages } from "../packages/transfer.ts";
import { removeObjects } from "../retention/remove-objects.ts";
import { createSetup, type Setup } from "../test/context.ts";
import { documentFilesAt, filesRoot } from "../thumbnails/document-files-at.ts";
import { createStoredSetup, random, thrownBy, type StoredSetup } from "./test/stored-setup.ts";

let stored: StoredSetup;
beforeAll(async () => {
  stored = await createStoredSetup();
});
afterAll(() => stored.close());
beforeEach(() => void stored.storage.requests());

const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** An artifact with a file, an image of another site and a package, and what each reader of their bytes gets. */
async function publishEverything() {
  const { setup, owner, db } = stored;
  const texts = [`# One\n\n${random(40_000).toString("base64")}`, "# Two\n"] as const;
  const { artifactId } = await stored.publish(texts[0]);
  // As large as a file may be, and nothing that can be compressed.
  const bytes = Uint8Array.from(random(filesLimits.fileBytes));
  const sha256 = hashOf(bytes);
  const as = owner.token;
  await setup.call("file.upload", { workspaceId: owner.workspaceId, sha256 }, { as, file: bytes });
  const files = [{ path: "data.csv", sha256 }];
  await setup.call("version.create", { artifactId, content: texts[1], files }, { as });
  const fetched = { bytes, mediaType: "image/png", size: { width: 1, height: 1 } } as const;
  const { key } = await keepImage({ db, secret: "s", artifactId }, fetched);
  const kept = await keepFiles(
    db,
    { name: "chart", version: "1.0.0", integrity: "sha512-x", tarball: "" },
    new Uint8Array([1]),
    { paths: ["chart.js"], entries: {} },
    new Map([["chart.js", new TextEncoder().encode("export const chart = 1;")]]),
  );
  const [set] = await db.run<{ id: string }>("SELECT file_set_id AS id FROM file_set");
  const fileSet = { fileSetId: set?.id ?? "", base: "", sha256, count: 1, sizeBytes: bytes.length };
  const read = async (by: Database) => {
    const inPackage = { sha256: kept.sha256, path: "chart.js" };
    const served = [
      await documentFilesAt(by, null, fileSet)(`${filesRoot}data.csv`),
      await imageFile(by, { key, takesZstd: false }),
      await packageFile(by, { ...inPackage, takesZstd: true }),
      await packageFile(by, { ...inPackage, takesZstd: false }),
    ];
    return {
      texts: [await stored.read(artifactId, 1, by), await stored.read(artifactId, 2, by)],
      diff: await setup.call("version.diff", { artifactId, from: 1, to: 2 }, { as }),
      served: served.map((file) => hashOf(file?.bytes ?? new Uint8Array())),
      exported: (await Array.fromAsync(exportPackages(by))).join(""),
    };
  };
  return { artifactId, texts, bytes, read };
}

test("what is published is in the database at once and in object storage after the job, and each reader gets the same", async () => {
  const { db, fresh } = stored;
  const { artifactId, texts, bytes, read } = await publishEverything();
  const before = await read(db);
  expect(before.texts).toEqual([...texts]);
  expect(before.served.slice(0, 2)).toEqual([bytes, bytes].map(hashOf));
  expect(stored.storage.requests()).toEqual([]);
  expect(await stored.inDatabase()).toBe(4);

  expect(await moveContents(db)).toBe(true);
  expect(await stored.inDatabase()).toBe(0);
  expect(await stored.objects()).toEqual(await stored.named());
  expect(await read(fresh())).toEqual(before);
  await writeSearchDocuments(fresh(), [artifactId]);
  expect(await db.run("SELECT 1 FROM search_document WHERE words @@ 'two'")).toHaveLength(1);
});

test("publishing and reading send as many statements as without object storage, and publishing asks it nothing", async () => {
  const plain = await createSetup();
  const { token } = await plain.person();
  const countsOf = async (setup: Setup, as: string) => {
    const { slug } = await setup.project(as);
    let artifactId = "";
    const create = async () => ({ artifactId } = await setup.publish(as, slug, { content: "# Counted" }));
    const created = await setup.statementsOf(create);
    const append = () => setup.call("version.create", { artifactId, content: "# Counted 2" }, { as });
    const appended = await setup.statementsOf(append);
    expect(stored.storage.requests()).toEqual([]);
    await moveContents(setup.db);
    const read = await setup.statementsOf(() => setup.call("version.content", { artifactId, version: 1 }, { as }));
    stored.storage.requests();
    return { created, appended, read };
  };
  const inObjects = await countsOf(stored.setup, stored.owner.token);
  expect(inObjects).toEqual(await countsOf(plain, token));
  await plain.close();
});

test("the job that moves and the job that purges do it, and a store that only reads is not asked", async () => {
  const { setup, db, storage } = stored;
  const { config } = setup.instance;
  const host = (by: Database) => ({ db: by, config, billing: null, renderer: null });
  await stored.publish("# Moved by a job");
  const reading = { ...db, objects: storage.open({ isReadOnly: true }) };
  for (const kind of ["contents", "purge"] as const) await runJob(host(reading), kind, {}, "job_1");
  expect([await stored.inDatabase(), storage.requests()]).toEqual([1, []]);
  await runJob(host(db), "contents", {}, "job_2");
  expect(await stored.inDatabase()).toBe(0);
  storage.requests();
  await runJob(host(db), "purge", {}, "job_3");
  // Whose the objects are, a page, and the end.
  expect(storage.requests().map(({ action }) => action)).toEqual(["get", "get", "list", "list"]);
});

test("fifty readers of one object send one request, and later ones of the process none", async () => {
  const { artifactId } = await stored.publish("# Read by many");
  await moveContents(stored.db);
  const db = stored.fresh();
  stored.storage.requests();
  const texts = await Promise.all(Array.from({ length: 50 }, () => stored.read(artifactId, 1, db)));
  expect(new Set(texts)).toEqual(new Set(["# Read by many"]));
  await stored.read(artifactId, 1, db);
  expect(stored.storage.requests().map(({ action }) => action)).toEqual(["get"]);
});

test("while the server is away reads are 503 with a time to try again, publishing goes on, and nothing is lost", async () => {
  const { db, storage } = stored;
  const { artifactId } = await stored.publish("# Moved before");
  await moveContents(db);
  await storage.cut();
  const refused = (await thrownBy(stored.read(artifactId))) as AppError;
  expect([refused.code, refused.status, refused.extra["retryAfterSeconds"]]).toEqual(["unavailable", 503, 2]);
  const { accessKeyId, secretAccessKey, endpoint, bucket } = storage.settings;
  for (const secret of [accessKeyId, secretAccessKey, endpoint ?? "", `s3://${bucket}`])
    expect(`${refused.message} ${String(refused.cause)} ${JSON.stringify(refused)}`).not.toContain(secret);
  const later = await stored.publish("# Published meanwhile");
  expect(await stored.read(later.artifactId)).toBe("# Published meanwhile");
  expect(await thrownBy(moveContents(db))).toMatchObject({ code: "unavailable" });
  expect(await thrownBy(removeObjects(db))).toMatchObject({ code: "unavailable" });
  expect(await stored.read(later.artifactId)).toBe("# Published meanwhile");
  await storage.restore();
  expect(await stored.read(artifactId)).toBe("# Moved before");
  await moveContents(db);
  expect([await stored.inDatabase(), await stored.read(later.artifactId)]).toEqual([0, "# Published meanwhile"]);
});

test("a server that accepts and says nothing is given up at the deadline by all who wait, and works again afterwards", async () => {
  const { db, storage } = stored;
  const { artifactId } = await stored.publish("# Silent");
  await moveContents(db);
  storage.silence();
  const withShortTimeout = { ...db, objects: storage.open({}, 200) };
  const waiting = Array.from({ length: 40 }, () => thrownBy(stored.read(artifactId, 1, withShortTimeout)));
  const codes = (await Promise.all(waiting)).map((error) => (error as AppError).code);
  expect(new Set(codes)).toEqual(new Set(["unavailable"]));
  await storage.restore();
  expect(await stored.read(artifactId, 1, { ...db, objects: storage.open() })).toBe("# Silent");
});

test("wrong credentials and a missing bucket are 503 and say nothing of either", async () => {
  const { db, storage } = stored;
  const { artifactId } = await stored.publish("# Locked away");
  await moveContents(db);
  for (const changed of [{ secretAccessKey: "wrong" }, { accessKeyId: "nobody" }, { bucket: "no-such-bucket" }]) {
    const by = { ...db, objects: storage.open(changed) };
    const refused = (await thrownBy(stored.read(artifactId, 1, by))) as AppError;
    expect([changed, refused.code]).toEqual([changed, "unavailable"]);
    expect(`${refused.message} ${String(refused.cause)} ${JSON.stringify(refused)}`).not.toMatch(
      /wrong|nobody|no-such/,
    );
  }
});

test("a broken, cut off, exchanged or missing object is a fault that the doctor finds, and never another text", async () => {
  const { db, storage, fresh } = stored;
  const { artifactId } = await stored.publish("# Broken later");
  await stored.publish("# Another text");
  await moveContents(db);
  const name = await stored.objectOf("# Broken later");
  const bytesOf = async (object: string) => (await storage.open().get(object)) ?? new Uint8Array();
  const good = await bytesOf(name);
  const other = await bytesOf(await stored.objectOf("# Another text"));
  const bomb = Bun.zstdCompressSync(new Uint8Array(64 * 1024 * 1024));
  for (const bytes of [other, good.subarray(0, -1), new Uint8Array(), random(200), bomb]) {
    await storage.bucket.put(name, bytes);
    const fault = (await thrownBy(stored.read(artifactId))) as Error;
    expect([fault.name, fault.message]).toEqual([
      "BrokenObject",
      `The object ${name} does not have the content of its hash`,
    ]);
  }
  const found = async (by: Database, allObjects: boolean) =>
    (await examine(by, { allObjects })).filter(({ problems }) => problems > 0).flatMap(({ examples }) => examples);
  const hash = name.slice(0, 64);
  expect(await found(fresh(), true)).toEqual([`${hash} has an object with other bytes`]);
  await storage.bucket.remove(name);
  const missing = (await thrownBy(stored.read(artifactId))) as Error;
  expect([missing.name, missing.message]).toEqual(["Error", `The object ${name} of a content is missing`]);
  for (const all of [true, false]) expect(await found(fresh(), all)).toEqual([`${hash} has no object`]);
  const [unset] = await found({ ...db, objects: null }, true);
  expect(unset).toEndWith("is in object storage, and CONTENT_STORE is not set");
  await storage.bucket.put(name, good);
  expect(await stored.read(artifactId)).toBe("# Broken later");
  expect(await found(fresh(), true)).toEqual([]);
});

test("a content that is broken in the database stays there and is told, and the others are moved", async () => {
  const { db } = stored;
  const { artifactId } = await stored.publish("# Good among broken");
  const torn = await stored.publish("# Torn");
  await db.run("UPDATE content SET data = '\\x00' WHERE sha256 = sha256('# Torn')");
  const error = (await thrownBy(moveContents(db))) as Error;
  expect(error.message).toStartWith("1 contents are not what their hash says");
  expect([await stored.inDatabase(), await stored.read(artifactId)]).toEqual([1, "# Good among broken"]);
  expect(await thrownBy(stored.read(torn.artifactId))).toBeInstanceOf(Error);
});
