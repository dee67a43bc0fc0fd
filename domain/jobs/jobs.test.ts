// What jobs do: the search document, and the end of what was deleted.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { newId, uuidOf } from "@plinth/db/columns";

import type { Call } from "../context.ts";
import { tokenHash } from "../credentials/token.ts";
import { invoke } from "../invoke.ts";
import { createWorld, type TestPerson, type World } from "../testing.ts";
import { purge } from "../retention/purge.ts";
import { writeSearchDocuments } from "./search-document.ts";

let world: World;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
  project = (await world.project(owner.token)).slug;
});
afterAll(() => world.close());

const document = async (artifactId: string) => {
  const [row] = await world.db.run<{ version: number; words: string[] }>(
    "SELECT version_number AS version, to_json(tsvector_to_array(words)) AS words FROM search_document WHERE artifact_id = $1",
    [uuidOf("art", artifactId)],
  );
  return row;
};

/** The words of a document that aren't in every one: those of slugs are left out. */
const words = async (artifactId: string) =>
  (await document(artifactId))?.words.filter((word) => word !== "artifact" && !/^[0-9]+$/.test(word));

async function deleted(content: string, days = 31): Promise<string> {
  const { artifactId } = await world.publish(owner.token, project, { content });
  await world.call("artifact.delete", { artifactId }, { as: owner.token });
  await world.db.run("UPDATE artifact SET deleted_at = now() - make_interval(days => $2) WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
    days,
  ]);
  return artifactId;
}

const isStored = async (content: string) => {
  const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return (await world.db.run("SELECT 1 FROM content WHERE sha256 = decode($1, 'hex')", [sha256])).length === 1;
};

/** Until the work is done, or waits for a lock that another transaction has. */
async function waitsOr(work: Promise<void>): Promise<void> {
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  const waiting =
    "SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  while (!isDone && (await world.db.run(waiting)).length === 0) await Bun.sleep(5);
}

test("the search document has title, description and head, however often and late it is written", async () => {
  const { artifactId } = await world.publish(owner.token, project, { description: "D", content: "one" });
  await writeSearchDocuments(world.db, [artifactId]);
  await writeSearchDocuments(world.db, [artifactId]);
  expect((await document(artifactId))?.version).toBe(1);
  expect(await words(artifactId)).toEqual(["d", "one", "t"]);
  await world.call("version.create", { artifactId, content: "two" }, { as: owner.token });
  await world.call("artifact.patch", { artifactId, title: "Other" }, { as: owner.token });
  await Promise.all(Array.from({ length: 8 }, () => writeSearchDocuments(world.db, [artifactId])));
  expect((await document(artifactId))?.version).toBe(2);
  expect(await words(artifactId)).toEqual(["d", "other", "two"]);
  await world.call("artifact.delete", { artifactId }, { as: owner.token });
  await writeSearchDocuments(world.db, [artifactId]);
  await writeSearchDocuments(world.db, [newId("art")]);
});

test("titles that change while their documents are written: the last one stays", async () => {
  const { artifactId } = await world.publish(owner.token, project, { content: "x" });
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await world.call("artifact.patch", { artifactId, title: `Title no${index}` }, { as: owner.token });
      await writeSearchDocuments(world.db, [artifactId]);
    }),
  );
  const { title } = await world.call("artifact.get", { artifactId });
  expect((await words(artifactId))?.join(" ")).toBe(`${title.toLowerCase().split(" ").toSorted().join(" ")} x`);
});

test("of two that write one document, the later one reads only when the first has written", async () => {
  const { artifactId } = await world.publish(owner.token, project, { title: "Old", content: "x" });
  let writing = Promise.resolve();
  await world.db.transaction(async (first) => {
    await first.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`search:${uuidOf("art", artifactId)}`]);
    writing = writeSearchDocuments(world.db, [artifactId]);
    await waitsOr(writing);
    await world.call("artifact.patch", { artifactId, title: "New" }, { as: owner.token });
  });
  await writing;
  expect(await words(artifactId)).toEqual(["new", "x"]);
});

test("one that can't be written keeps none of the others from search, and is heard of", async () => {
  const made = [];
  for (const content of ["first", "broken", "last"]) made.push(await world.publish(owner.token, project, { content }));
  const sha256 = new Bun.CryptoHasher("sha256").update("broken").digest("hex");
  await world.db.run("UPDATE content SET data = '\\x00'::bytea WHERE sha256 = decode($1, 'hex')", [sha256]);
  const ids = made.map(({ artifactId }) => artifactId);
  const failure = await writeSearchDocuments(world.db, ids).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect(await Promise.all(ids.map(words))).toEqual([["first", "t"], undefined, ["last", "t"]]);
});

test("a long text is cut, and not through a character; nothing in one is too much for a document", async () => {
  const whole = `${"word ".repeat(52_428)}ab`;
  const wide = await createWorld({ maxContentBytes: 512 * 1024 });
  const person = await wide.person();
  const { slug } = await wide.project(person.token);
  const written = async (content: string) => {
    const { artifactId } = await wide.publish(person.token, slug, { content });
    await writeSearchDocuments(wide.db, [artifactId]);
    const [row] = await wide.db.run<{ words: string[] }>(
      "SELECT to_json(tsvector_to_array(words)) AS words FROM search_document WHERE artifact_id = $1",
      [uuidOf("art", artifactId)],
    );
    return row?.words ?? [];
  };
  expect(whole).toHaveLength(256 * 1024 - 2);
  expect(await written(`${whole}é cut`)).toEqual(expect.arrayContaining(["word", "abé"]));
  expect(await written(`${whole}x😀 cut`)).toContain("abx");
  expect(await written(`${whole}x😀 cut`)).not.toContain("cut");
  const many = (first: number, count: number) =>
    Array.from({ length: 90_000 }, (_, n) => String.fromCodePoint(first + ((n * n + 7919 * (n >> 7)) % count))).join(
      "",
    );
  expect((await written(many(0x4e00, 20_000))).length).toBeGreaterThan(50_000);
  for (const text of [many(0x20000, 40_000), many(0x3300, 256), "ﷺ".repeat(80_000), "é".repeat(130_000)])
    expect((await written(text)).length).toBeGreaterThan(0);
  await wide.close();
});

test("purging ends artifacts deleted more than 30 days ago, with their versions and texts, audited", async () => {
  const gone = await deleted("only theirs");
  const recent = await deleted("still to be had", 29);
  await purge(world.db, "purge-request");
  const left = await world.db.run("SELECT 1 FROM version WHERE artifact_id = $1", [uuidOf("art", gone)]);
  expect(left).toHaveLength(0);
  expect(await isStored("only theirs")).toBe(false);
  expect(await isStored("still to be had")).toBe(true);
  await world.call("artifact.undelete", { artifactId: recent }, { as: owner.token });
  const events = await world.db.run("SELECT kind, actor, target_id FROM audit_event WHERE request_id = $1", [
    "purge-request",
  ]);
  expect(events).toEqual([
    { kind: "artifact.purged", actor: { type: "system", id: "system", label: "Plinth" }, target_id: gone },
  ]);
  const [before] = await world.db.run<{ rows: number }>("SELECT count(*)::int AS rows FROM audit_event");
  await purge(world.db, "again");
  expect(await world.count("audit_event")).toBe(before?.rows ?? 0);
});

test("a text that something else still has stays, one that only tombstones have goes", async () => {
  await deleted("shared");
  await deleted("in a tombstone");
  const kept = await world.publish(owner.token, project, { content: "shared" });
  const other = await world.publish(owner.token, project, { content: "in a tombstone" });
  await world.call("version.create", { artifactId: other.artifactId, content: "now" }, { as: owner.token });
  await world.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
    uuidOf("art", other.artifactId),
  ]);
  await purge(world.db, "shared");
  expect(await isStored("shared")).toBe(true);
  expect(await isStored("in a tombstone")).toBe(false);
  await world.answer("version.content", { artifactId: kept.artifactId });
});

test("a text that is being published again while it is purged is there afterwards", async () => {
  const content = "gone and come again";
  await deleted(content);
  const access = { publicView: true, publicEdit: false };
  const input = { projectSlug: project, slug: "again", type: "md", title: "T", content, access };
  const call: Call = {
    credential: { kind: "key", hash: tokenHash(owner.token) },
    surface: "api",
    requestId: "published-again",
    address: "",
  };
  let purging = Promise.resolve();
  await world.db.transaction(async (db) => {
    // The statement is done, and found the text in the store; what it wrote nobody else can see yet.
    await invoke({ ...world.instance, db }, call, "artifact.create", { input, errors: [] });
    purging = Promise.all([purge(world.db, "racing"), purge(world.db, "racing")]).then(() => undefined);
    await waitsOr(purging);
  });
  await purging;
  expect(await isStored(content)).toBe(true);
});

test("idempotency records go after their day", async () => {
  const manner = { as: owner.token, idempotencyKey: "purged" };
  await world.call("project.create", { slug: world.name("project"), title: "P", icon: "p" }, manner);
  await purge(world.db, "r");
  expect(await world.count("idempotency")).toBe(1);
  await world.db.run("UPDATE idempotency SET created_at = now() - interval '25 hours'");
  await purge(world.db, "r");
  expect(await world.count("idempotency")).toBe(0);
});

test("sessions and sign-in links go when they are past their time, with where they were", async () => {
  const { userId } = await world.person();
  await world.session(userId);
  await world.session(userId);
  const sessions = async () =>
    (await world.db.run("SELECT 1 FROM session WHERE user_id = $1", [uuidOf("usr", userId)])).length;
  await world.db.run(
    "UPDATE session SET expires_at = now() WHERE id = (SELECT min(id::text)::uuid FROM session WHERE user_id = $1)",
    [uuidOf("usr", userId)],
  );
  for (const hours of [-1, 1]) {
    await world.db.run(
      "INSERT INTO sign_in_link (hash, user_id, expires_at) VALUES ($1, $2, now() + make_interval(hours => $3))",
      [Buffer.from(String(hours)), uuidOf("usr", userId), hours],
    );
  }
  await purge(world.db, "r");
  expect(await sessions()).toBe(1);
  expect([...(await world.db.run("SELECT convert_from(hash, 'UTF8') AS hours FROM sign_in_link"))]).toEqual([
    { hours: "1" },
  ]);
});
