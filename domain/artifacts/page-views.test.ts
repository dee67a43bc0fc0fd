// Views are counted by artifact and day: while a page is answered nothing is written, and nothing names a reader.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { purge } from "../retention/purge.ts";
import { createSetupWithProject, outcome } from "../test/context.ts";
import { createPageViews } from "./page-views.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const views = (artifactId: string, days?: number) =>
  setup.call("artifact.listViews", { artifactId, ...(days !== undefined && { days }) }, { as: owner.token });
const totalOf = async (artifactId: string) => (await views(artifactId)).total;
const open = (slug: string, as?: string) =>
  setup.call(
    "artifact.getByPath",
    { owner: owner.username, projectSlug: project, slug },
    { isPageView: true, ...(as !== undefined && { as }) },
  );
const flush = () => setup.instance.pageViews.flush();
const reader = { type: "anonymous", address: "192.0.2.1" } as const;

test("a view costs no statement, and a flush writes those of all artifacts in one", async () => {
  const [one, other] = [await setup.publish(owner.token, project), await setup.publish(owner.token, project)];
  const plain = { owner: owner.username, projectSlug: project, slug: one.slug };
  const unseen = await setup.statementsOf(() => setup.call("artifact.getByPath", plain));
  expect(await setup.statementsOf(() => open(one.slug))).toBe(unseen);
  await Promise.all([open(one.slug), open(one.slug), open(other.slug)]);
  expect(await totalOf(one.artifactId)).toBe(0);
  expect(await setup.statementsOf(flush)).toBe(1);
  expect(await setup.statementsOf(flush)).toBe(0);
  expect([await totalOf(one.artifactId), await totalOf(other.artifactId)]).toEqual([3, 1]);
  await open(one.slug);
  await flush();
  expect(await totalOf(one.artifactId)).toBe(4);
});

test("members, other calls, former addresses and refused readers are not counted; guests are", async () => {
  const { artifactId, slug } = await setup.publish(owner.token, project);
  const guest = await setup.person();
  await open(slug, owner.token);
  await setup.call("artifact.get", { artifactId }, { isPageView: true });
  await setup.call("artifact.getByPath", { owner: owner.username, projectSlug: project, slug });
  const renamed = setup.name("renamed");
  await setup.call("artifact.patch", { artifactId, slug: renamed }, { as: owner.token });
  await open(slug);
  const closed = { artifactId, publicView: false, publicEdit: false };
  await setup.call("access.update", { ...closed, viewerEmails: [] }, { as: owner.token });
  expect(await outcome(open(renamed, guest.token))).toBe("not_found");
  await flush();
  expect(await totalOf(artifactId)).toBe(0);
  const viewerEmails = [`${guest.username}@example.org`];
  await setup.call("access.update", { ...closed, viewerEmails }, { as: owner.token });
  await open(renamed, guest.token);
  await flush();
  expect(await totalOf(artifactId)).toBe(1);
});

test("the page of one version is counted where the version is there, once and at its present address", async () => {
  const { artifactId, slug } = await setup.publish(owner.token, project);
  await setup.call("version.create", { artifactId, content: "# Second" }, { as: owner.token });
  const ticket = (version: number, named: string, as?: string) =>
    setup.call(
      "artifact.ticket",
      { artifactId: named, version },
      { isPageView: true, ...(as !== undefined && { as }) },
    );
  const at = (name: string) => `${owner.username}/${project}/${name}`;
  for (const version of [1, 2]) await ticket(version, at(slug));
  expect(await outcome(ticket(3, at(slug)))).toBe("not_found");
  await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number = 1", [
    uuidOf("art", artifactId),
  ]);
  expect(await outcome(ticket(1, at(slug)))).toBe("version_expired");
  await setup.call("artifact.ticket", { artifactId: at(slug), version: 2 });
  await ticket(2, at(slug), owner.token);
  const renamed = setup.name("renamed");
  await setup.call("artifact.patch", { artifactId, slug: renamed }, { as: owner.token });
  await ticket(2, at(slug));
  await flush();
  expect(await totalOf(artifactId)).toBe(2);
  await ticket(2, at(renamed));
  await flush();
  expect(await totalOf(artifactId)).toBe(3);
});

test("processes that write at the same moment lose nothing, and an artifact that is gone holds nothing up", async () => {
  const [kept, gone] = [await setup.publish(owner.token, project), await setup.publish(owner.token, project)];
  const workspaceId = owner.workspaceId;
  const processes = Array.from({ length: 5 }, () => createPageViews(setup.db));
  for (const one of processes)
    for (const { artifactId } of [gone, kept]) one.record(reader, { artifactId, workspaceId });
  await setup.db.run("DELETE FROM artifact WHERE artifact_id = $1", [uuidOf("art", gone.artifactId)]);
  await Promise.all(processes.map((one) => one.flush()));
  expect(await totalOf(kept.artifactId)).toBe(5);
});

test("each of the days is listed, and those that can't be listed any more are removed", async () => {
  const { artifactId } = await setup.publish(owner.token, project);
  const at = uuidOf("art", artifactId);
  await setup.db.run(
    `INSERT INTO page_view (artifact_id, day, views)
     SELECT $1, (now() AT TIME ZONE 'UTC')::date - ago, ago + 1 FROM unnest(ARRAY[0, 29, 30, 89, 90]) AS ago`,
    [at],
  );
  const listed = await views(artifactId);
  expect([listed.total, listed.days.length, listed.days[0]?.views, listed.days[29]?.views]).toEqual([31, 30, 30, 1]);
  expect(listed.days.map(({ day }) => day)).toEqual(listed.days.map(({ day }) => day).toSorted());
  expect((await views(artifactId, 90)).total).toBe(152);
  await purge(setup.db, "views");
  expect((await views(artifactId, 90)).total).toBe(152);
  expect(await setup.db.run("SELECT FROM page_view WHERE artifact_id = $1", [at])).toHaveLength(4);
  await setup.db.run("DELETE FROM artifact WHERE artifact_id = $1", [at]);
  expect(await setup.db.run("SELECT FROM page_view WHERE artifact_id = $1", [at])).toEqual([]);
});

test("an artifact that a caller can't see has no views for them, as one that does not exist", async () => {
  const access = { publicView: false, publicEdit: false };
  const { artifactId } = await setup.publish(owner.token, project, { access });
  const stranger = await setup.person();
  const refusal = async (id: string) => {
    const { code, message } = await setup.refusal("artifact.listViews", { artifactId: id }, { as: stranger.token });
    return { code, message };
  };
  const hidden = await refusal(artifactId);
  expect(hidden.code).toBe("not_found");
  expect(hidden).toEqual(await refusal("art_00000000000000000000000000"));
  const open = await setup.publish(owner.token, project);
  expect(
    (await setup.refusal("artifact.listViews", { artifactId: open.artifactId }, { as: stranger.token })).code,
  ).toBe("forbidden");
});
