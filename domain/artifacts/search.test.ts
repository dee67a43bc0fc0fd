// Searches find matching artifacts that the caller can see.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { writeSearchDocuments } from "../jobs/search-document.ts";
import { createSetup, type Manner, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

async function publish(more: Parameters<Setup["publish"]>[2]) {
  const made = await setup.publish(owner.token, project, more);
  await writeSearchDocuments(setup.db, [made.artifactId]);
  return made.artifactId;
}

const found = async (q: string, more: object = {}, manner: Manner = {}) =>
  (await setup.call("artifact.list", { q, limit: 100, ...more }, manner)).artifacts.map(({ artifactId }) => artifactId);

test("every word is found in title, description, slug or content, the last one as a beginning", async () => {
  const artifactId = await publish({
    slug: "amber-q3",
    title: "Quarterly Dashboard",
    description: "For the Zürich office",
    content: "# Revenue\n\n`foo_bar.baz` rose by 12 % in 東京都の天気 🚀",
  });
  for (const q of [
    "quarterly",
    "QUARTERLY revenue",
    "revenue quart",
    "zürich",
    "ZÜR",
    "amber-q3",
    "foo_bar.baz",
    "baz",
  ])
    expect([q, await found(q)]).toEqual([q, [artifactId]]);
  for (const q of ['"quarterly dashboard"', "天気", "京都", "東", "12 % rose", "🚀", "shboard", "terly dashb", "mber"])
    expect([q, await found(q)]).toEqual([q, [artifactId]]);
  for (const q of ["quarter revenue", "quarterly missing", "evenue", "気天", "!?&|"])
    expect([q, await found(q)]).toEqual([q, []]);
});

test("letters that people type for each other are one, in documents and queries, and are quoted as they are written", async () => {
  const artifactId = await publish({
    slug: "folds",
    title: "Straße nach Şişli",
    description: "Ὀδυσσεύς と ﾎﾟｽﾄ",
    content: "Un résumé de كِتَابٌ et Ｆｕｌｌ",
  });
  const queries = [
    "strasse",
    "STRAẞE sisli",
    "şışlı",
    "οδυσσευς",
    "ポスト",
    "resume",
    "كتاب",
    "full",
    '"nach sisli"',
    "strass",
  ];
  for (const q of queries) expect([q, await found(q)]).toEqual([q, [artifactId]]);
  const [result] = (await setup.call("artifact.list", { q: "resume كتاب" })).artifacts;
  expect(result?.snippet?.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(["résumé", "كِتَابٌ"]);
});

test("every search text gets an answer", async () => {
  const hostile = [
    "'",
    '"',
    "\\",
    "a' | 'b",
    ":*",
    "<->",
    "%",
    "_%_",
    "((((",
    "!".repeat(200),
    "🚀".repeat(100),
    "𠮷".repeat(50),
  ];
  for (const q of [...hostile, "ﷺ".repeat(50), "a ".repeat(99), "ก็".repeat(50), "x".repeat(200), "\u0301", "İ", "‮abc"])
    expect(await found(q)).toBeArray();
});

test("a new version and a new title are found once their job ran, the old ones no longer", async () => {
  const artifactId = await publish({ title: "Oldtitle", content: "oldcontent" });
  await setup.call("version.create", { artifactId, content: "newcontent" }, { as: owner.token });
  await setup.call("artifact.patch", { artifactId, title: "Newtitle" }, { as: owner.token });
  expect(await found("oldtitle")).toEqual([artifactId]);
  await writeSearchDocuments(setup.db, [artifactId]);
  expect(await found("oldtitle")).toEqual([]);
  expect(await found("oldcontent")).toEqual([]);
  expect(await found("newtitle newcontent")).toEqual([artifactId]);
});

test("access is asked at the time of the search, and a deleted artifact is never found", async () => {
  const artifactId = await publish({ content: "plover" });
  const run = (set: string) =>
    setup.db.run(`UPDATE artifact SET ${set} WHERE artifact_id = $1`, [uuidOf("art", artifactId)]);
  expect(await found("plover")).toEqual([artifactId]);
  await run("public_view = false");
  expect(await found("plover")).toEqual([]);
  expect(await found("plover", {}, { as: owner.token })).toEqual([artifactId]);
  const stranger = await setup.person({ email: "Reader@Example.org" });
  expect(await found("plover", {}, { as: stranger.token })).toEqual([]);
  await run("viewer_emails = ARRAY['reader@example.org']");
  expect(await found("plover", {}, { as: stranger.token })).toEqual([artifactId]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  for (const as of [owner.token, stranger.token]) expect(await found("plover", {}, { as })).toEqual([]);
});

test("filters hold beside a search", async () => {
  const other = await setup.project(owner.token);
  const first = await publish({ content: "heron", type: "html" });
  const { artifactId: second } = await setup.publish(owner.token, other.slug, {
    content: "heron",
    access: { publicView: false, publicEdit: false },
  });
  await writeSearchDocuments(setup.db, [second]);
  const as = owner.token;
  expect(await found("heron", {}, { as })).toEqual([second, first]);
  expect(await found("heron", { type: "html" }, { as })).toEqual([first]);
  expect(await found("heron", { visibility: "private" }, { as })).toEqual([second]);
  expect(await found("heron", { visibility: "public" }, { as })).toEqual([first]);
  expect(await found("heron", { project: other.slug }, { as })).toEqual([second]);
  expect(await found("heron", { owner: owner.username, project }, { as })).toEqual([first]);
  expect(await found("heron", { owner: "nobody" }, { as })).toEqual([]);
  expect(await found("heron", { owner: "nobody", project }, { as })).toEqual([]);
});

test("pages follow each other, newest first, and one more statement than the load is asked", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.unshift(await publish({ content: "curlew" }));
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const before = setup.db.statements.total;
    const page = await setup.call(
      "artifact.list",
      { q: "curlew", limit: 3, ...(cursor === undefined ? {} : { cursor }) },
      { as: owner.token },
    );
    expect(setup.db.statements.total - before).toBe(2);
    pages.push(...page.artifacts.map(({ artifactId }) => artifactId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages).toEqual(ids);
});
