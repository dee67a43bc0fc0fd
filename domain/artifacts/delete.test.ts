import { afterAll, beforeAll, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";
import { uuidOf } from "@plinth/db/columns";

import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

const code = (error: AppError) => error.code;
const age = (artifactId: string, days: number) =>
  setup.db.run("UPDATE artifact SET deleted_at = now() - make_interval(days => $2) WHERE artifact_id = $1", [
    uuidOf("art", artifactId),
    days,
  ]);

test("of two deletions at once, one is done", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const outcomes = await Promise.all(
    [1, 2, 3].map(() =>
      setup.call("artifact.delete", { artifactId }, { as: owner.token }).then(() => "deleted" as const, code),
    ),
  );
  expect(outcomes.toSorted()).toEqual(["deleted", "not_found", "not_found"]);
});

test("published and deleted at once: a version or none, never a head of what is gone", async () => {
  for (let round = 0; round < 10; round++) {
    const { artifactId } = await setup.publish(owner.token, project);
    const manner = { as: owner.token };
    const [published] = await Promise.all([
      setup.call("version.create", { artifactId, content: `${round}` }, manner).then(() => "published", code),
      setup.call("artifact.delete", { artifactId }, manner),
    ]);
    expect(published).toMatch(/^(?:published|not_found)$/);
    const back = await setup.call("artifact.undelete", { artifactId }, manner);
    expect(back.latestVersion).toBe(published === "published" ? 2 : 1);
    expect((await setup.refusal("version.create", { artifactId: "art_x", content: "" }, manner)).code).toBe(
      "not_found",
    );
  }
});

test("gone everywhere at once, the slug free again, back with all its versions", async () => {
  const made = await setup.publish(owner.token, project);
  const manner = { as: owner.token };
  const { artifactId } = made;
  await setup.call("version.create", { artifactId, content: "two" }, manner);
  await setup.call("artifact.delete", { artifactId }, manner);
  for (const [name, input] of [
    ["artifact.get", { artifactId }],
    ["version.content", { artifactId }],
    ["version.list", { artifactId }],
    ["artifact.ticket", { artifactId }],
    ["artifact.delete", { artifactId }],
    ["artifact.getByPath", { owner: owner.username, projectSlug: project, slug: made.slug }],
  ] as const) {
    expect((await setup.refusal(name, input, manner)).code).toBe("not_found");
  }
  const listed = await setup.call("artifact.listMine", { deleted: true }, manner);
  expect(listed.artifacts.map((row) => row.artifactId)).toContain(artifactId);
  expect((await setup.call("artifact.list", {})).artifacts.map((row) => row.artifactId)).not.toContain(artifactId);
  expect(await setup.call("artifact.undelete", { artifactId }, manner)).toMatchObject({ latestVersion: 2 });
});

test("undelete finds the slug taken, and says by what and what is free", async () => {
  const { artifactId, slug } = await setup.publish(owner.token, project);
  const manner = { as: owner.token };
  await setup.call("artifact.delete", { artifactId }, manner);
  const other = await setup.publish(owner.token, project, { slug });
  const refusal = await setup.refusal("artifact.undelete", { artifactId }, manner);
  expect(refusal).toMatchObject({
    code: "slug_conflict",
    extra: { artifactId: other.artifactId, suggestion: `${slug}-2` },
  });
  await setup.call("artifact.delete", { artifactId: other.artifactId }, manner);
  expect((await setup.call("artifact.undelete", { artifactId }, manner)).slug).toBe(slug);
});

test("of two concurrent restores with the same slug, one succeeds", async () => {
  const manner = { as: owner.token };
  const slug = setup.name("slug");
  const ids: string[] = [];
  for (let index = 0; index < 2; index++) {
    const { artifactId } = await setup.publish(owner.token, project, { slug });
    await setup.call("artifact.delete", { artifactId }, manner);
    ids.push(artifactId);
  }
  const outcomes = await Promise.all(
    ids.map((artifactId) => setup.call("artifact.undelete", { artifactId }, manner).then(() => "back" as const, code)),
  );
  expect(outcomes.toSorted()).toEqual(["back", "slug_conflict"]);
});

test("after 30 days nothing comes back, taken slug or not", async () => {
  const { artifactId, slug } = await setup.publish(owner.token, project);
  const manner = { as: owner.token };
  await setup.call("artifact.delete", { artifactId }, manner);
  await setup.publish(owner.token, project, { slug });
  await age(artifactId, 31);
  expect((await setup.refusal("artifact.undelete", { artifactId }, manner)).code).toBe("not_found");
  const listed = await setup.call("artifact.listMine", { deleted: true }, manner);
  expect(listed.artifacts.map((row) => row.artifactId)).not.toContain(artifactId);
});

test("a project deleted empty comes back with its artifact, unless its slug is taken", async () => {
  const manner = { as: owner.token };
  const place = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, place.slug);
  expect((await setup.refusal("project.delete", { projectId: place.projectId }, manner)).code).toBe(
    "project_not_empty",
  );
  await setup.call("artifact.delete", { artifactId }, manner);
  await setup.call("project.delete", { projectId: place.projectId }, manner);
  const taker = await setup.call("project.create", { slug: place.slug, title: "Other", icon: "o" }, manner);
  expect((await setup.refusal("artifact.undelete", { artifactId }, manner)).code).toBe("slug_conflict");
  await setup.call("project.delete", { projectId: taker.projectId }, manner);
  await setup.call("artifact.undelete", { artifactId }, manner);
  const found = { owner: owner.username, projectSlug: place.slug };
  expect((await setup.call("project.getByPath", found)).artifactCount).toBe(1);
});

test("published into a project that is being deleted: one of both", async () => {
  const manner = { as: owner.token };
  for (let round = 0; round < 10; round++) {
    const place = await setup.project(owner.token);
    const [published, deleted] = await Promise.all([
      setup.publish(owner.token, place.slug).then(() => "published" as const, code),
      setup.call("project.delete", { projectId: place.projectId }, manner).then(() => "deleted" as const, code),
    ]);
    expect(["published project_not_empty", "not_found deleted"]).toContain(`${published} ${deleted}`);
  }
});

test("a member restores and deletes only artifacts they created", async () => {
  const member = await setup.person();
  const team = await setup.team({ [owner.userId]: "admin", [member.userId]: "member" });
  const { slug } = await setup.project(member.token, team.slug);
  const theirs = await setup.publish(member.token, slug, { ownerUsername: team.slug });
  const other = await setup.publish(owner.token, slug, { ownerUsername: team.slug });
  const manner = { as: member.token };
  expect((await setup.refusal("artifact.delete", { artifactId: other.artifactId }, manner)).code).toBe("forbidden");
  await setup.call("artifact.delete", { artifactId: theirs.artifactId }, manner);
  await setup.call("artifact.delete", { artifactId: other.artifactId }, { as: owner.token });
  expect((await setup.refusal("artifact.undelete", { artifactId: other.artifactId }, manner)).code).toBe("not_found");
  const listed = await setup.call("artifact.listMine", { deleted: true }, manner);
  expect(listed.artifacts.map((row) => row.artifactId)).toEqual([theirs.artifactId]);
  await setup.call("artifact.undelete", { artifactId: theirs.artifactId }, manner);
});
