// Jobs that write the search document.
import { afterAll, expect, test } from "bun:test";

import { newId, uuidOf } from "@plinth/db/columns";

import { waitsOr } from "../retention/test/old-artifacts.ts";
import { createSetup, createSetupWithProject } from "../test/context.ts";
import { renewSearchDocuments, writeSearchDocuments } from "./search-document.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const document = async (artifactId: string) => {
  const [row] = await setup.db.run<{ version: number; words: string[] }>(
    "SELECT version_number AS version, to_json(tsvector_to_array(words)) AS words FROM search_document WHERE artifact_id = $1",
    [uuidOf("art", artifactId)],
  );
  return row;
};

/** The words of a document that aren't in every one: those of slugs are left out. */
const words = async (artifactId: string) =>
  (await document(artifactId))?.words.filter((word) => word !== "artifact" && /^\p{L}/u.test(word));

test("the search document has title, description and head, however often and late it is written", async () => {
  const { artifactId } = await setup.publish(owner.token, project, { description: "D", content: "one" });
  await writeSearchDocuments(setup.db, [artifactId]);
  await writeSearchDocuments(setup.db, [artifactId]);
  expect((await document(artifactId))?.version).toBe(1);
  expect(await words(artifactId)).toEqual(["d", "one", "t"]);
  await setup.call("version.create", { artifactId, content: "two" }, { as: owner.token });
  await setup.call("artifact.patch", { artifactId, title: "Other" }, { as: owner.token });
  await Promise.all(Array.from({ length: 8 }, () => writeSearchDocuments(setup.db, [artifactId])));
  expect((await document(artifactId))?.version).toBe(2);
  expect(await words(artifactId)).toEqual(["d", "other", "two"]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await writeSearchDocuments(setup.db, [artifactId]);
  await writeSearchDocuments(setup.db, [newId("art")]);
});

test("a job that runs again writes no document twice, and one whose words alone changed is written", async () => {
  const { artifactId } = await setup.publish(owner.token, project, { content: "again" });
  const id = uuidOf("art", artifactId);
  const row = async () => {
    const [found] = await setup.db.run<{ turn: number; xmin: string; words: string }>(
      "SELECT turn::int, xmin::text, words::text FROM search_document WHERE artifact_id = $1",
      [id],
    );
    return found;
  };
  await writeSearchDocuments(setup.db, [artifactId]);
  const first = await row();
  await writeSearchDocuments(setup.db, [artifactId]);
  expect(await row()).toEqual(first);
  const other = await setup.project(owner.token);
  await setup.call("artifact.patch", { artifactId, projectSlug: other.slug }, { as: owner.token });
  await writeSearchDocuments(setup.db, [artifactId]);
  const moved = await row();
  expect(moved?.turn).toBeGreaterThan(first?.turn ?? Infinity);
  expect(moved?.words).toContain(`@p${uuidOf("prj", other.projectId).replaceAll("-", "")}`);
});

test("titles that change while their documents are written: the last one stays", async () => {
  const { artifactId } = await setup.publish(owner.token, project, { content: "x" });
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await setup.call("artifact.patch", { artifactId, title: `Title no${index}` }, { as: owner.token });
      await writeSearchDocuments(setup.db, [artifactId]);
    }),
  );
  const { title } = await setup.call("artifact.get", { artifactId });
  expect((await words(artifactId))?.join(" ")).toBe(`${title.toLowerCase().split(" ").toSorted().join(" ")} x`);
});

test("of two that write one document, the later one reads only when the first has written", async () => {
  const { artifactId } = await setup.publish(owner.token, project, { title: "Old", content: "x" });
  let writing = Promise.resolve();
  await setup.db.transaction(async (first) => {
    await first.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`search:${uuidOf("art", artifactId)}`]);
    writing = writeSearchDocuments(setup.db, [artifactId]);
    await waitsOr(setup, writing);
    await setup.call("artifact.patch", { artifactId, title: "New" }, { as: owner.token });
  });
  await writing;
  expect(await words(artifactId)).toEqual(["new", "x"]);
});

test("documents of an earlier form are written again, and those of this form are left alone", async () => {
  const made = [];
  for (let n = 0; n < 20; n++)
    made.push((await setup.publish(owner.token, project, { content: `form${n}` })).artifactId);
  await writeSearchDocuments(setup.db, made);
  const turns = () =>
    setup.db.run<{ turn: number }>("SELECT turn::int FROM search_document WHERE form = 2 ORDER BY artifact_id");
  const before = await turns();
  await renewSearchDocuments(setup.db);
  expect(await turns()).toEqual(before);
  const ids = made.map((artifactId) => uuidOf("art", artifactId));
  const outdate =
    "UPDATE search_document SET form = 0, words = ''::tsvector WHERE artifact_id = ANY (ARRAY(SELECT json_array_elements_text($1::text::json)::uuid))";
  await setup.db.run(outdate, [JSON.stringify(ids)]);
  await renewSearchDocuments(setup.db);
  expect(await turns()).toHaveLength(before.length);
  expect(await words(made[7] ?? "")).toContain("form7");
});

test("a document that cannot be written does not block the others, and is reported", async () => {
  const made = [];
  for (const content of ["first", "broken", "last"]) made.push(await setup.publish(owner.token, project, { content }));
  const sha256 = new Bun.CryptoHasher("sha256").update("broken").digest("hex");
  await setup.db.run("UPDATE content SET data = '\\x00'::bytea WHERE sha256 = decode($1, 'hex')", [sha256]);
  const ids = made.map(({ artifactId }) => artifactId);
  const failure = await writeSearchDocuments(setup.db, ids).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AggregateError);
  expect(await Promise.all(ids.map(words))).toEqual([["first", "t"], undefined, ["last", "t"]]);
});

test("a long text is cut, and not through a character; nothing in one is too much for a document", async () => {
  const whole = `${"word ".repeat(52_428)}ab`;
  const wide = await createSetup({ maxContentBytes: 512 * 1024 });
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
  expect(await written(`${whole}é cut`)).toEqual(expect.arrayContaining(["word", "abe"]));
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
