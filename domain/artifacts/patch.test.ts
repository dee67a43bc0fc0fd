import { afterAll, beforeAll, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";
import { noteLength } from "@plinth/contract/limits";

import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let stranger: TestPerson;
let [here, there] = ["", ""];
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  stranger = await setup.person();
  here = (await setup.project(owner.token)).slug;
  there = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

const open = { publicView: true, publicEdit: true };

test("a new title does not undo a move made at the same time, nor the other way round", async () => {
  const { artifactId } = await setup.publish(owner.token, here);
  const manner = { as: owner.token };
  for (let round = 0; round < 15; round++) {
    const projectSlug = round % 2 === 0 ? there : here;
    const title = `Title ${round}`;
    await Promise.all([
      setup.call("artifact.patch", { artifactId, projectSlug }, manner),
      setup.call("artifact.patch", { artifactId, title }, manner),
      setup.call("artifact.patch", { artifactId, description: title }, manner),
    ]);
    const now = await setup.call("artifact.get", { artifactId }, manner);
    expect(now).toMatchObject({ projectSlug, title, description: title });
  }
});

test("an editor cannot change the address, and learns nothing about other artifacts", async () => {
  const { artifactId, slug } = await setup.publish(owner.token, here, { access: open });
  const secret = await setup.publish(owner.token, here, { access: { publicView: false, publicEdit: false } });
  const manner = { as: stranger.token };
  for (const input of [{ slug: secret.slug }, { slug: "free" }, { projectSlug: there, slug: "free" }]) {
    const refusal = await setup.refusal("artifact.patch", { artifactId, ...input }, manner);
    expect(["forbidden", "not_found"]).toContain(refusal.code);
    expect(JSON.stringify(refusal.extra)).not.toContain(secret.artifactId);
  }
  const renamed = await setup.call("artifact.patch", { artifactId, title: "Theirs", slug, projectSlug: here }, manner);
  expect(renamed).toMatchObject({ title: "Theirs", slug });
});

test("a slug that is taken is a conflict with a suggestion; what changes nothing leaves no trace", async () => {
  const [one, two] = [await setup.publish(owner.token, here), await setup.publish(owner.token, here)];
  const manner = { as: owner.token };
  const refusal = await setup.refusal("artifact.patch", { artifactId: one.artifactId, slug: two.slug }, manner);
  expect(refusal).toMatchObject({
    code: "slug_conflict",
    extra: { suggestion: `${two.slug}-2`, artifactId: two.artifactId },
  });
  const before = await setup.count("audit_event");
  await setup.call("artifact.patch", { artifactId: one.artifactId, slug: one.slug, title: "T" }, manner);
  expect(await setup.count("audit_event")).toBe(before);
});

test("the audit event has what was there at that moment, under concurrent changes", async () => {
  const { artifactId } = await setup.publish(owner.token, here, { title: "0" });
  const titles = Array.from({ length: 8 }, (_, index) => `${index + 1}`);
  await Promise.all(titles.map((title) => setup.call("artifact.patch", { artifactId, title }, { as: owner.token })));
  const events = await setup.db.run<{ before: { title: string }; after: { title: string } }>(
    "SELECT before, after FROM audit_event WHERE kind = 'artifact.updated' AND target_id = $1",
    [artifactId],
  );
  const next = new Map(events.map(({ before, after }) => [before.title, after.title]));
  let [title, steps] = ["0", 0];
  for (let then = next.get(title); then !== undefined; then = next.get(title), steps++) title = then;
  expect(steps).toBe(titles.length);
  expect((await setup.call("artifact.get", { artifactId })).title).toBe(title);
});

test("changed and deleted at once: either, and never a change of what is gone", async () => {
  for (let round = 0; round < 10; round++) {
    const { artifactId } = await setup.publish(owner.token, here);
    const manner = { as: owner.token };
    const [patched, deleted] = await Promise.all([
      setup.call("artifact.patch", { artifactId, projectSlug: there }, manner).catch((error: AppError) => error.code),
      setup.call("artifact.delete", { artifactId }, manner).then(() => "deleted"),
    ]);
    expect(deleted).toBe("deleted");
    expect(typeof patched === "string" ? patched : "moved").toMatch(/^(?:moved|not_found)$/);
  }
});

test("moving into a project that is being deleted: it moves, or the project is gone, and nothing is lost", async () => {
  for (let round = 0; round < 10; round++) {
    const target = await setup.project(owner.token);
    const { artifactId } = await setup.publish(owner.token, here);
    const manner = { as: owner.token };
    const [moved, gone] = await Promise.all([
      setup
        .call("artifact.patch", { artifactId, projectSlug: target.slug }, manner)
        .then(() => true)
        .catch(() => false),
      setup
        .call("project.delete", { projectId: target.projectId }, manner)
        .then(() => true)
        .catch(() => false),
    ]);
    expect(moved).toBe(!gone);
    const now = await setup.call("artifact.get", { artifactId }, manner);
    const { ownerUsername, projectSlug, slug } = now;
    const found = await setup.call("artifact.getByPath", { owner: ownerUsername, projectSlug, slug }, manner);
    expect(found.artifactId).toBe(artifactId);
  }
});

test("a description can be removed, and is bounded in characters", async () => {
  const { artifactId } = await setup.publish(owner.token, here, { description: "d" });
  const manner = { as: owner.token };
  expect((await setup.call("artifact.patch", { artifactId, description: null }, manner)).description).toBeNull();
  const long = "x".repeat(noteLength);
  await setup.call("artifact.patch", { artifactId, description: long }, manner);
  const refusal = await setup.refusal("artifact.patch", { artifactId, description: `${long}x` }, manner);
  expect(refusal.extra.errors?.[0]?.path).toBe("description");
});
