// `bun run content copy` as a command, beside what else uses the database: its output, its refusals, and its secrets.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import { createStoredSetup, random, type StoredSetup } from "@plinth/domain/storage/test/stored-setup";

let stored: StoredSetup;
beforeAll(async () => {
  stored = await createStoredSetup();
  for (let n = 0; n < 5; n++) await stored.publish(`# Text ${n} ${random(3000).toString("hex")}`);
});
afterAll(() => stored.close());

const inObjects = async () => (await stored.named()).length;

async function run(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "content.ts"), ...command], {
    env: { PATH: process.env["PATH"] ?? "", DATABASE_URL: stored.db.url, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, status };
}

test("contents are copied to object storage and back, and a second run has nothing to do", async () => {
  const { environment } = stored.storage;
  const there = await run(["copy", "--to", "s3"], environment);
  expect(there).toEqual({
    out: expect.stringMatching(/^5 contents, 0\.0 MB, are in object storage now\.\n$/),
    err: "",
    status: 0,
  });
  expect([await stored.inDatabase(), await inObjects()]).toEqual([0, 5]);
  expect((await run(["copy", "--to", "s3"], environment)).out).toStartWith("0 contents, ");
  const refused = await run(["copy", "--to", "database"], environment);
  expect([refused.status, refused.err]).toEqual([
    1,
    expect.stringContaining("Set CONTENT_STORE_READ_ONLY=on here and for every process first"),
  ]);
  const readOnly = { ...environment, CONTENT_STORE_READ_ONLY: "on" };
  const [object = ""] = await stored.named();
  const bytes = (await stored.storage.open().get(object)) ?? new Uint8Array();
  await stored.storage.bucket.remove(object);
  const broken = await run(["copy", "--to", "database"], readOnly);
  expect([broken.status, broken.out]).toEqual([
    1,
    expect.stringContaining(`  ${object.slice(0, 64)} stays where it is`),
  ]);
  await stored.storage.bucket.put(object, bytes);
  const back = await run(["copy", "--to", "database"], readOnly);
  expect([back.status, back.out]).toEqual([0, "1 contents, 0.0 MB, are in the database now.\n"]);
  expect([await stored.inDatabase(), await inObjects()]).toEqual([5, 0]);
});

test("a wrong use, a missing setting and a store that refuses are one line without a secret", async () => {
  const { environment } = stored.storage;
  for (const command of [[], ["copy"], ["copy", "--to", "disk"], ["copy", "--to"], ["move", "--to", "s3"]])
    expect(await run(command, environment)).toEqual({
      out: "",
      err: "bun run content copy --to s3|database\n",
      status: 2,
    });
  expect((await run(["copy", "--to", "s3"])).err).toStartWith("content: CONTENT_STORE must be set");
  const wrong = { ...environment, S3_SECRET_ACCESS_KEY: "not-the-secret-of-it" };
  const refused = await run(["copy", "--to", "s3"], wrong);
  expect(refused.status).toBe(1);
  expect(refused.err).toBe("content: The storage of contents can't be reached\n");
  const away = await run(["copy", "--to", "s3"], { ...environment, S3_ENDPOINT: "http://127.0.0.1:1" });
  expect([away.status, away.err]).toEqual([1, "content: The storage of contents can't be reached\n"]);
  for (const said of [refused, away])
    expect(said.out + said.err).not.toMatch(/not-the-secret|a-secret-of|127\.0\.0\.1/);
});
