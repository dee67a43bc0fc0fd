// Lists by last change and by title: their order, their pages while things change, and what they are not asked for.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Input } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";

import { writeSearchDocuments } from "../jobs/search-document.ts";
import { createSetup, type Caller, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});

const written = (...ids: readonly string[]) => writeSearchDocuments(setup.db, ids);

async function publish(title: string, more: Parameters<Setup["publish"]>[2] = {}): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project, { title, ...more });
  await written(artifactId);
  return artifactId;
}

async function change(artifactId: string, title?: string): Promise<void> {
  if (title === undefined) await setup.call("version.create", { artifactId, content: "# again" }, { as: owner.token });
  else await setup.call("artifact.patch", { artifactId, title }, { as: owner.token });
  await written(artifactId);
}

const ask = (input: Input<"artifact.list">, as?: Caller) =>
  setup.call("artifact.list", { owner: owner.username, ...input }, as === undefined ? {} : { as });

async function titles(input: Input<"artifact.list">, as: Caller = owner.token): Promise<string[]> {
  const all: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask({ limit: 2, ...input, ...(cursor === undefined ? {} : { cursor }) }, as);
    all.push(...page.artifacts.map(({ title }) => title));
    cursor = page.nextCursor;
  }
  return all;
}

test("by title as people read them, by last change with the latest first, in a workspace and in one project of it", async () => {
  const first = await publish("part 10");
  await publish("Äpfel");
  await publish("Part 2");
  await publish("zebra");
  const other = await setup.project(owner.token);
  await publish("banana", { projectSlug: other.slug });
  await change(first);
  expect(await titles({ sort: "title" })).toEqual(["Äpfel", "banana", "Part 2", "part 10", "zebra"]);
  expect(await titles({ sort: "title", project })).toEqual(["Äpfel", "Part 2", "part 10", "zebra"]);
  expect(await titles({ sort: "updated" })).toEqual(["part 10", "banana", "zebra", "Part 2", "Äpfel"]);
  expect(await titles({ sort: "updated", project: other.slug })).toEqual(["banana"]);
  expect(await titles({ sort: "newest" })).toEqual(["banana", "zebra", "Part 2", "Äpfel", "part 10"]);
  expect(await titles({ sort: "title", q: "part" })).toEqual(["Part 2", "part 10"]);
  expect(await titles({ sort: "updated", q: "part" })).toEqual(["part 10", "Part 2"]);
});

test("equal titles have distinct places", async () => {
  const ids = [await publish("Same"), await publish("same"), await publish("SAME ")];
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask({ sort: "title", limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.artifacts.map(({ artifactId }) => artifactId));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(ids);
});

test("while others are published, renamed and deleted, what stays as it is comes once and once only", async () => {
  const kept = ["b", "d", "f", "h", "j"];
  for (const title of kept) await publish(title);
  const moving = await publish("c");
  const going = await publish("g");
  for (const [sort, expected] of [
    ["title", kept],
    ["updated", kept.toReversed()],
  ] as const) {
    const seen: string[] = [];
    let n = 0;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await ask({ sort, limit: 2, ...(cursor === undefined ? {} : { cursor }) }, owner.token);
      seen.push(...page.artifacts.map(({ title }) => title));
      cursor = page.nextCursor;
      await publish(`${sort} ${n}`);
      await change(moving, ++n % 2 === 0 ? "a" : "z");
      if (n === 2 && sort === "updated") {
        await setup.call("artifact.delete", { artifactId: going }, { as: owner.token });
        await written(going);
      }
    }
    expect(seen.filter((title) => kept.includes(title))).toEqual([...expected]);
  }
  expect(await titles({ sort: "title" })).not.toContain("g");
});

test("who may see what is decided as in every list, however the rows of the order lag behind", async () => {
  const reader = await setup.person({ email: `${setup.name("reader")}@example.org` });
  const { email } = await setup.call("profile.get", {}, { as: reader.token });
  const [hidden, shown] = [await publish("hidden"), await publish("shown")];
  await publish("public");
  const set = (artifactId: string, publicView: boolean, viewerEmails: string[] = []) =>
    setup.call("access.update", { artifactId, publicView, publicEdit: false, viewerEmails }, { as: owner.token });
  await set(hidden, false);
  await set(shown, false, [email]);
  for (const isWritten of [false, true]) {
    if (isWritten) await written(hidden, shown);
    expect(await titles({ sort: "title" })).toEqual(["hidden", "public", "shown"]);
    expect(await titles({ sort: "title" }, reader.token)).toEqual(["public", "shown"]);
    expect((await ask({ sort: "title" })).artifacts.map(({ title }) => title)).toEqual(["public"]);
    expect(await titles({ sort: "title", visibility: "private" })).toEqual(isWritten ? ["hidden", "shown"] : []);
    expect(await titles({ sort: "updated", visibility: "public" })).toEqual(["public"]);
  }
  await set(hidden, true);
  await written(hidden);
  expect(await titles({ sort: "title" }, reader.token)).toEqual(["hidden", "public", "shown"]);
});

test("an artifact that moves to another project, or comes back, is where it stands", async () => {
  const other = await setup.project(owner.token);
  const artifactId = await publish("moved");
  await setup.call("artifact.patch", { artifactId, projectSlug: other.slug }, { as: owner.token });
  expect(await titles({ sort: "title", project })).toEqual([]);
  await written(artifactId);
  expect(await titles({ sort: "title", project: other.slug })).toEqual(["moved"]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await written(artifactId);
  expect(
    await setup.db.run(
      "SELECT FROM artifact_order WHERE project_id = (SELECT project_id FROM project WHERE slug = $1)",
      [other.slug],
    ),
  ).toEqual([]);
  await setup.call("artifact.undelete", { artifactId }, { as: owner.token });
  await written(artifactId);
  expect(await titles({ sort: "updated", project: other.slug })).toEqual(["moved"]);
});

test("titles are in order within an owner's artifacts, best matches in a search, and no order takes another's cursor", async () => {
  for (const input of [{ sort: "title" }, { sort: "title", project }, { sort: "best" }, { sort: "best", owner: "x" }]) {
    const { code, extra } = await setup.refusal("artifact.list", input);
    expect([code, extra]).toMatchObject(["invalid_request", { errors: [{ path: "sort" }] }]);
  }
  for (const title of ["a", "b"]) await publish(title);
  const sorts = ["newest", "updated", "title"] as const;
  for (const sort of sorts) {
    const { nextCursor } = await ask({ sort, limit: 1 });
    const cursor = nextCursor ?? "";
    expect((await ask({ sort, limit: 1, cursor })).artifacts).toHaveLength(1);
    for (const other of sorts.filter((each) => each !== sort)) {
      const { code, extra } = await setup.refusal("artifact.list", { owner: owner.username, sort: other, cursor });
      expect([code, extra]).toMatchObject(["invalid_request", { errors: [{ path: "cursor" }] }]);
    }
  }
});

test("without an order it is the last change, what just was published included, and a cursor goes on in its own", async () => {
  const [first] = [await publish("first"), await publish("second")];
  await change(first);
  const { artifactId } = await setup.publish(owner.token, project, { title: "not written yet" });
  expect(await titles({})).toEqual(["not written yet", "first", "second"]);
  await written(artifactId);
  expect(await titles({})).toEqual(["not written yet", "first", "second"]);
  // A cursor of the time when newest first was the default.
  const { nextCursor } = await ask({ sort: "newest", limit: 1 });
  expect(Buffer.from(nextCursor ?? "", "base64url").toString()).toBe(`artifacts:${artifactId}`);
  expect((await ask({ cursor: nextCursor ?? "" })).artifacts.map(({ title }) => title)).toEqual(["second", "first"]);
  const mine = await setup.call("artifact.listMine", {}, { as: owner.token });
  expect(mine.artifacts.map(({ title }) => title)).toEqual(["not written yet", "first", "second"]);
  const bySlug = await setup.call("workspace.artifacts", { workspaceId: owner.username }, { as: owner.token });
  expect(bySlug.artifacts).toHaveLength(3);
  const ofWorkspace = { workspaceId: owner.workspaceId, limit: 2 };
  const page = await setup.call("workspace.artifacts", ofWorkspace, { as: owner.token });
  expect(page.artifacts.map(({ title }) => title)).toEqual(["not written yet", "first"]);
  const next = await setup.call(
    "workspace.artifacts",
    { ...ofWorkspace, cursor: page.nextCursor ?? "" },
    { as: owner.token },
  );
  expect(next.artifacts.map(({ title }) => title)).toEqual(["second"]);
});

test("everyone's list has what the caller can see of all owners, by the last change", async () => {
  const other = await setup.person();
  const reader = await setup.person({ email: `${setup.name("reader")}@example.org` });
  const { email } = await setup.call("profile.get", {}, { as: reader.token });
  await publish("public here");
  const { slug } = await setup.project(other.token);
  const there = async (title: string, viewerEmails: string[]) => {
    const access = { publicView: false, publicEdit: false, viewerEmails };
    await written((await setup.publish(other.token, slug, { title, access })).artifactId);
  };
  await there("listed there", [email]);
  await there("hidden there", []);
  const seen = async (as?: Caller) =>
    (await setup.call("artifact.list", { limit: 3 }, as === undefined ? {} : { as })).artifacts.map(
      ({ title }) => title,
    );
  expect((await seen(other.token)).slice(0, 3)).toEqual(["hidden there", "listed there", "public here"]);
  expect((await seen(reader.token)).slice(0, 2)).toEqual(["listed there", "public here"]);
  expect((await seen())[0]).toBe("public here");
});

test("filters by author, type, project and time hold in every list, with times of any offset", async () => {
  const member = await setup.person();
  await setup.db.run("INSERT INTO membership (workspace_id, user_id, role) VALUES ($1, $2, 'member')", [
    uuidOf("wsp", owner.workspaceId),
    uuidOf("usr", member.userId),
  ]);
  const mine = await publish("mine");
  const theirs = (
    await setup.publish(member.token, project, { title: "theirs", ownerUsername: owner.username, type: "html" })
  ).artifactId;
  await written(theirs);
  const other = await setup.project(owner.token);
  await publish("elsewhere", { projectSlug: other.slug });
  const at = (id: string, time: string) =>
    setup.db.run("UPDATE artifact SET updated_at = $2 WHERE artifact_id = $1", [uuidOf("art", id), new Date(time)]);
  await at(mine, "2026-03-01T12:00:00Z");
  await at(theirs, "2026-04-01T12:00:00Z");
  await written(mine, theirs);
  const as = owner.token;
  for (const [filter, expected] of [
    [{ author: member.username }, ["theirs"]],
    [{ author: owner.username }, ["elsewhere", "mine"]],
    [{ author: "nobody" }, []],
    [{ type: "html" }, ["theirs"]],
    [{ project: other.slug }, ["elsewhere"]],
    [{ project }, ["theirs", "mine"]],
    [{ since: "2026-03-01T13:00:00+01:00", until: "2026-04-01T05:00:00-07:00" }, ["mine"]],
    // An unencoded plus has become a space.
    [{ since: "2026-03-01T13:00:01 01:00", until: "2026-04-01T12:00:01Z" }, ["theirs"]],
  ] as const) {
    const lists = [
      setup.call("artifact.listMine", filter, { as }),
      setup.call("workspace.artifacts", { workspaceId: owner.workspaceId, ...filter }, { as }),
      setup.call("artifact.list", { owner: owner.username, ...filter }, { as }),
      setup.call("artifact.list", { owner: owner.username, ...filter, sort: "newest" }, { as }),
      setup.call(
        "artifact.list",
        { q: "mine theirs elsewhere".split(" ").find((word) => expected[0] === word) ?? "none", ...filter },
        { as },
      ),
    ];
    const found = (await Promise.all(lists)).map(({ artifacts }) => artifacts.map(({ title }) => title));
    expect([filter, ...found.slice(0, 4)]).toEqual([filter, ...Array.from({ length: 4 }, () => [...expected])]);
    expect(found[4]).toEqual(expected.slice(0, 1));
  }
  for (const since of [
    "yesterday",
    "2026-02-30",
    "2026-02-30T00:00:00Z",
    "2026-03-01T00:00:00",
    "2026-03-01T00:00:00+25:00",
  ])
    for (const name of ["artifact.list", "artifact.listMine"] as const)
      expect((await setup.refusal(name, { since }, { as })).extra).toMatchObject({ errors: [{ path: "since" }] });
});

test("a forged cursor is refused or is a valid place", async () => {
  const artifactId = await publish("a");
  const forged = (text: string) => Buffer.from(text).toString("base64url");
  for (const place of ["", "x", "-1", "1".repeat(17), "1 ", "1\n"]) {
    const input = {
      owner: owner.username,
      sort: "updated",
      cursor: forged(`artifacts-updated:${artifactId}:${place}`),
    };
    expect((await setup.refusal("artifact.list", input)).code).toBe("invalid_request");
  }
  for (const place of ["\0", "a\u0007", "x".repeat(201)]) {
    const input = { owner: owner.username, sort: "title", cursor: forged(`artifacts-title:${artifactId}:${place}`) };
    expect((await setup.refusal("artifact.list", input)).code).toBe("invalid_request");
  }
  const last = forged(`artifacts-updated:${artifactId}:${"9".repeat(16)}`);
  expect((await ask({ sort: "updated", cursor: last })).artifacts).toHaveLength(1);
  const odd = forged(`artifacts-title:${artifactId}:' OR true --`);
  expect((await ask({ sort: "title", cursor: odd })).artifacts).toHaveLength(1);
});
