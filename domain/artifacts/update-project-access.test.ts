// Access of a whole project: what is left out stays in each artifact, a dry run counts and writes nothing, and each change has its
// event.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { accessAtOnce } from "@plinth/contract/limits";
import { uuidOf } from "@plinth/db/columns";

import { createSetup, type Caller, type Setup, type TestPerson } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let as: { readonly as: Caller };
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  as = { as: owner.token };
});
afterAll(() => setup.close());

const open = { publicView: true, publicEdit: false };
const closed = { publicView: false, publicEdit: false };

/** A project with an artifact for each access object. */
async function projectWith(...objects: readonly (typeof open & { readonly viewerEmails?: string[] })[]) {
  const { projectId, slug } = await setup.project(owner.token);
  const ids: string[] = [];
  for (const access of objects) ids.push((await setup.publish(owner.token, slug, { access })).artifactId);
  return { projectId, slug, ids };
}
const update = (projectId: string, given: object, more: object = {}) =>
  setup.call("project.updateAccess", { projectId, ...given }, { ...as, ...more });
const accessOf = (artifactId: string) => setup.call("access.get", { artifactId }, as);
const eventsOf = async (artifactId: string) =>
  (await setup.call("audit.list", { artifactId, kind: "access.updated" }, as)).auditEvents;

test("what is given is set in each artifact, what is left out stays, and each that changes has an event", async () => {
  const viewerEmails = ["eve@example.com"];
  const { projectId, ids } = await projectWith(open, { ...open, publicEdit: true, viewerEmails }, closed);
  const [first = "", second = "", third = ""] = ids;
  const outcome = await update(projectId, { publicView: false });
  expect(outcome).toMatchObject({ changed: 2, unchanged: 1, withShareLinks: 0 });
  expect(outcome.changes.map(({ artifactId }) => artifactId)).toEqual([first, second]);
  expect(await accessOf(first)).toEqual({ ...closed, viewerEmails: [] });
  expect(await accessOf(second)).toEqual({ ...closed, viewerEmails });
  expect(await eventsOf(second)).toMatchObject([
    { before: { publicView: true, publicEdit: true, viewerEmails }, after: { ...closed, viewerEmails } },
  ]);
  expect([(await eventsOf(first)).length, (await eventsOf(third)).length]).toEqual([1, 0]);
  expect(await update(projectId, { publicView: false })).toMatchObject({ changed: 0, unchanged: 3, changes: [] });
  await update(projectId, { viewerEmails: ["BO@example.com"] });
  expect(await accessOf(third)).toEqual({ ...closed, viewerEmails: ["bo@example.com"] });
});

test("a dry run counts what would change and the share links that work, and writes nothing", async () => {
  const { projectId, ids } = await projectWith(open, open, open);
  const [first = "", second = ""] = ids;
  await setup.call("shareLink.create", { artifactId: first, role: "viewer" }, as);
  await setup.call("shareLink.create", { artifactId: first, role: "editor" }, as);
  const { shareLinkId } = await setup.call("shareLink.create", { artifactId: second, role: "viewer" }, as);
  await setup.call("shareLink.revoke", { shareLinkId }, as);
  const before = await setup.count("audit_event");
  const dry = await update(projectId, { publicView: false }, { dryRun: true });
  expect(dry).toMatchObject({ changed: 3, unchanged: 0, withShareLinks: 1, dryRun: true });
  expect(dry.changes.map(({ shareLinks }) => shareLinks)).toEqual([2, 0, 0]);
  expect([await setup.count("audit_event"), await accessOf(first)]).toEqual([before, { ...open, viewerEmails: [] }]);
});

describe("a selection", () => {
  test("changes the artifacts that are named, and nothing in other projects or in the trash", async () => {
    const { projectId, slug, ids } = await projectWith(open, open);
    const [first = "", second = ""] = ids;
    expect(await update(projectId, { publicView: false, artifactIds: [second] })).toMatchObject({ changed: 1 });
    expect([(await accessOf(first)).publicView, (await accessOf(second)).publicView]).toEqual([true, false]);
    const other = await projectWith(open);
    const { artifactId: deleted } = await setup.publish(owner.token, slug);
    await setup.call("artifact.delete", { artifactId: deleted }, as);
    const artifactIds = [first, ...other.ids, deleted];
    const refused = await setup.refusal("project.updateAccess", { projectId, publicEdit: true, artifactIds }, as);
    expect(refused.extra["errors"]).toEqual([
      { path: "artifactIds.1", message: "is no artifact of the project" },
      { path: "artifactIds.2", message: "is no artifact of the project" },
    ]);
    expect((await accessOf(first)).publicEdit).toBe(false);
  });
});

test.each([
  [{}, "publicView"],
  [{ publicView: false, publicEdit: true }, "publicEdit"],
  [{ publicEdit: true }, "publicEdit"],
  [{ publicView: true, artifactIds: [] }, "artifactIds"],
])("%j is refused with the field at fault", async (given, path) => {
  const { projectId } = await projectWith(open, closed);
  const refused = await setup.refusal("project.updateAccess", { projectId, ...given }, as);
  expect([refused.code, refused.extra.errors?.[0]?.path]).toEqual(["invalid_request", path]);
});

test("an artifact that is named twice is refused", async () => {
  const { projectId, ids } = await projectWith(open);
  const given = { projectId, publicView: false, artifactIds: [...ids, ...ids] };
  expect((await setup.refusal("project.updateAccess", given, as)).extra["errors"]).toMatchObject([
    { path: "artifactIds.1" },
  ]);
});

test("a project of more artifacts than one call changes is refused as a whole", async () => {
  const { projectId, ids } = await projectWith(open);
  await setup.db.run(
    `INSERT INTO artifact SELECT made.* FROM artifact a, generate_series(1, $2::int) AS n,
       jsonb_populate_record(a, jsonb_build_object('artifact_id', gen_random_uuid(), 'slug', 'more-' || n)) AS made
     WHERE a.artifact_id = $1`,
    [uuidOf("art", ids[0] ?? ""), accessAtOnce],
  );
  const refused = await setup.refusal("project.updateAccess", { projectId, publicView: false }, as);
  expect(refused.extra["errors"]).toEqual([
    { path: "projectId", message: "has more than 1,000 artifacts: name some of them in artifactIds" },
  ]);
  expect(await update(projectId, { publicView: false, artifactIds: ids })).toMatchObject({ changed: 1 });
});
