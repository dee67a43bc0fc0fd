// Moving a project to another workspace: what follows, who may, what stands in the way, and what leads there.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { movedArtifacts } from "@plinth/contract/limits";
import { uuidOf } from "@plinth/db/columns";

import { invariants } from "../doctor/invariants.ts";
import { writeSearchDocuments } from "../jobs/search-document.ts";
import { createSetup, operatorToken, type TestPerson, type Setup } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";

let setup: Setup;
let owner: TestPerson;
let member: TestPerson;
let team: { workspaceId: string; slug: string };
let project: Awaited<ReturnType<Setup["project"]>>;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());
beforeEach(async () => {
  owner = await setup.person();
  member = await setup.person();
  team = await setup.team({ [owner.userId]: "member", [member.userId]: "member" });
  project = await setup.project(owner.token);
});

const hidden = { access: { publicView: false, publicEdit: false } };

const move = (more: object = {}, as = owner.token) =>
  setup.call("project.move", { projectId: project.projectId, ownerUsername: team.slug, ...more }, { as });

const refusal = async (more: object = {}, as = owner.token) =>
  setup.refusal("project.move", { projectId: project.projectId, ownerUsername: team.slug, ...more }, { as });

async function healthy(): Promise<void> {
  for (const [name, statement] of Object.entries(invariants)) {
    // Neither is about artifacts: teams of tests come without an admin, and nothing takes their jobs.
    if (name === "every workspace has an admin") continue;
    expect([name, await setup.db.run(statement)]).toEqual([name, []]);
  }
}

test("all that is in it follows, and who may see it is who belongs to the other workspace", async () => {
  const leaving = await setup.person();
  await setup.call(
    "operator.setMember",
    { workspaceId: owner.workspaceId, userId: leaving.userId, role: "member" },
    { as: operatorToken },
  );
  const kept = await setup.publish(owner.token, project.slug, { title: "Kept words", ...hidden });
  const deleted = await setup.publish(owner.token, project.slug);
  await setup.call("artifact.delete", { artifactId: deleted.artifactId }, { as: owner.token });
  const { token } = await setup.call(
    "shareLink.create",
    { artifactId: kept.artifactId, role: "viewer" },
    { as: owner.token },
  );
  await writeSearchDocuments(setup.db, [kept.artifactId]);
  await setup.call("artifact.get", { artifactId: kept.artifactId }, { as: leaving.token });

  const moved = await move();
  expect(moved).toMatchObject({
    ...project,
    ownerUsername: team.slug,
    workspaceId: team.workspaceId,
    updatedAt: moved.updatedAt,
    artifactCount: 1,
    url: `http://plinth.test/${team.slug}/${project.slug}`,
  });
  expect(await setup.call("artifact.get", { artifactId: kept.artifactId }, { as: member.token })).toMatchObject({
    ownerUsername: team.slug,
    workspaceId: team.workspaceId,
    latestVersion: 1,
  });
  expect((await setup.refusal("artifact.get", { artifactId: kept.artifactId }, { as: leaving.token })).code).toBe(
    "not_found",
  );
  const byLink = { share: { hash: tokenHash(token ?? "") } };
  expect(await setup.call("artifact.get", { artifactId: kept.artifactId }, byLink)).toMatchObject({ slug: kept.slug });
  // The move asks for it: search documents say in which workspace they are found.
  const asked = await setup.db.run("SELECT 1 FROM outbox WHERE kind = 'head' AND payload -> 'artifactIds' ? $1", [
    kept.artifactId,
  ]);
  expect(asked.length).toBeGreaterThan(0);
  await writeSearchDocuments(setup.db, [kept.artifactId]);
  for (const input of [
    { q: "kept words" },
    { owner: team.slug, sort: "title" },
    { owner: team.slug, project: project.slug, sort: "updated" },
    { owner: team.slug },
  ] as const) {
    const found = async (as: string) =>
      (await setup.call("artifact.list", input, { as })).artifacts.map((each) => each.artifactId);
    expect(await found(member.token)).toEqual([kept.artifactId]);
    expect(await found(leaving.token)).toEqual([]);
  }
  for (const sort of ["title", "updated"] as const)
    expect((await setup.call("artifact.list", { owner: owner.username, sort }, { as: owner.token })).artifacts).toEqual(
      [],
    );
  await setup.call("version.create", { artifactId: kept.artifactId, content: "# Second" }, { as: member.token });
  const admin = await setup.person();
  await setup.call(
    "operator.setMember",
    { workspaceId: team.workspaceId, userId: admin.userId, role: "admin" },
    { as: operatorToken },
  );
  const back = await setup.call("artifact.undelete", { artifactId: deleted.artifactId }, { as: admin.token });
  expect(back.workspaceId).toBe(team.workspaceId);
  await healthy();
});

test("both workspaces are told of it, in one event each", async () => {
  await setup.call(
    "operator.setMember",
    { workspaceId: team.workspaceId, userId: owner.userId, role: "admin" },
    { as: operatorToken },
  );
  await move({ slug: "elsewhere" });
  for (const workspaceId of [owner.workspaceId, team.workspaceId]) {
    const { auditEvents: events } = await setup.call("audit.listInWorkspace", { workspaceId }, { as: owner.token });
    expect(events.filter(({ kind }) => kind === "project.updated")).toMatchObject([
      {
        target: { type: "project", id: project.projectId },
        before: { ownerUsername: owner.username, slug: project.slug },
        after: { ownerUsername: team.slug, slug: "elsewhere" },
      },
    ]);
  }
});

test("its addresses lead to it from wherever it went and however often, and no other project takes one", async () => {
  const artifact = await setup.publish(owner.token, project.slug);
  const at = (ownerName: string, projectSlug: string) =>
    setup.call("artifact.getByPath", { owner: ownerName, projectSlug, slug: artifact.slug }, { as: owner.token });
  await move();
  await setup.call("project.update", { projectId: project.projectId, slug: "renamed" }, { as: member.token });
  await setup.call(
    "operator.setMember",
    { workspaceId: team.workspaceId, userId: owner.userId, role: "admin" },
    { as: operatorToken },
  );
  const other = await setup.team({ [owner.userId]: "admin" });
  await move({ ownerUsername: other.slug });
  for (const [name, slug] of [
    [owner.username, project.slug],
    [team.slug, project.slug],
    [team.slug, "renamed"],
    [other.slug, "renamed"],
  ] as const) {
    expect(await at(name, slug)).toMatchObject({
      artifactId: artifact.artifactId,
      ownerUsername: other.slug,
      projectSlug: "renamed",
    });
    const found = await setup.call("project.getByPath", { owner: name, projectSlug: slug }, { as: owner.token });
    expect(found).toMatchObject({ projectId: project.projectId, ownerUsername: other.slug, slug: "renamed" });
  }
  const published = await setup.publish(owner.token, project.slug);
  expect(published).toMatchObject({ ownerUsername: other.slug, projectSlug: "renamed" });
  const taking = { slug: project.slug, title: "Taker", icon: "t" };
  expect((await setup.refusal("project.create", taking, { as: owner.token })).code).toBe("slug_conflict");
  await move({ ownerUsername: owner.username, slug: project.slug });
  expect(await at(other.slug, "renamed")).toMatchObject({ ownerUsername: owner.username, projectSlug: project.slug });
  expect(await at(owner.username, project.slug)).toMatchObject({ ownerUsername: owner.username });
});

test("what one may not see at a former address is as little there as anywhere", async () => {
  await setup.publish(owner.token, project.slug, hidden);
  await move();
  const stranger = await setup.person();
  for (const input of [
    { owner: owner.username, projectSlug: project.slug },
    { owner: owner.username, projectSlug: "never-was" },
  ])
    expect((await setup.refusal("project.getByPath", input, { as: stranger.token })).code).toBe("not_found");
  // A move of an artifact accepts only a project of the same workspace.
  const here = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, here.slug);
  const refused = await setup.refusal("artifact.patch", { artifactId, projectSlug: project.slug }, { as: owner.token });
  expect(refused.code).toBe("not_found");
});

test("private artifacts go only where the plan has them, and nothing is changed where it has not", async () => {
  const poor = await setup.person({ plan: "free" });
  await setup.call(
    "operator.setMember",
    { workspaceId: poor.workspaceId, userId: owner.userId, role: "member" },
    { as: operatorToken },
  );
  const { artifactId } = await setup.publish(owner.token, project.slug, hidden);
  const { code, extra } = await refusal({ ownerUsername: poor.username });
  expect([code, extra]).toMatchObject(["plan_required", { entitlement: "privateArtifacts", requiredPlan: "pro" }]);
  expect(await setup.call("artifact.get", { artifactId }, { as: owner.token })).toMatchObject({
    ownerUsername: owner.username,
    access: { publicView: false },
  });
  expect(
    await setup.db.run(
      "SELECT FROM former_address WHERE workspace_id = (SELECT workspace_id FROM workspace WHERE slug = $1)",
      [owner.username],
    ),
  ).toEqual([]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  expect((await move({ ownerUsername: poor.username })).ownerUsername).toBe(poor.username);
});

test("a project whose private artifacts the plan no longer has is renamed where it is", async () => {
  await setup.publish(owner.token, project.slug, hidden);
  await setup.call("operator.setPlan", { workspaceId: owner.workspaceId, plan: "free" }, { as: operatorToken });
  const { username: ownerUsername } = owner;
  expect(await move({ ownerUsername, slug: "renamed" })).toMatchObject({ ownerUsername, slug: "renamed" });
});

test("a slug that is taken there is refused with the next free one, which is taken", async () => {
  await setup.call(
    "project.create",
    { ownerUsername: team.slug, slug: project.slug, title: "There", icon: "t" },
    { as: member.token },
  );
  const { code, extra } = await refusal();
  expect([code, extra.suggestion]).toEqual(["slug_conflict", `${project.slug}-2`]);
  expect((await move({ slug: `${project.slug}-2` })).slug).toBe(`${project.slug}-2`);
});

test("it takes an administrator of the one workspace who may create projects in the other", async () => {
  const stranger = await setup.person();
  expect((await refusal({}, stranger.token)).code).toBe("not_found");
  await setup.publish(owner.token, project.slug);
  expect((await refusal({}, stranger.token)).code).toBe("forbidden");
  const colleague = await setup.person();
  const setRole = (workspaceId: string, userId: string, role: "member" | "viewer" | "admin") =>
    setup.call("operator.setMember", { workspaceId, userId, role }, { as: operatorToken });
  await setRole(owner.workspaceId, colleague.userId, "member");
  await setRole(team.workspaceId, colleague.userId, "admin");
  expect((await refusal({}, colleague.token)).code).toBe("forbidden");
  await setRole(team.workspaceId, owner.userId, "viewer");
  expect((await refusal()).code).toBe("forbidden");
  expect((await refusal({ ownerUsername: stranger.username })).code).toBe("not_found");
  expect((await refusal({ ownerUsername: "nobody-of-this-name" })).code).toBe("not_found");
  await setRole(team.workspaceId, owner.userId, "admin");
  for (const held of [owner.workspaceId, team.workspaceId]) {
    const key = await setup.key(owner.userId, undefined, held);
    expect(["not_found", "forbidden"]).toContain((await refusal({}, key)).code);
  }
  expect((await refusal({}, await setup.key(owner.userId, ["artifacts:update"]))).code).toBe("insufficient_scope");
  await setRole(owner.workspaceId, colleague.userId, "admin");
  expect((await move({}, colleague.token)).ownerUsername).toBe(team.slug);
});

test("a project of very many artifacts stays: publishing into it would wait for too long", async () => {
  // In steps: a statement for all of them would meet the limit of a request's statements on a busy machine.
  for (let from = 0; from <= movedArtifacts; from += 5_000)
    await setup.db.run(
      `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view, public_edit,
         viewer_emails, created_by, creator_id)
       SELECT gen_random_uuid(), $1, $2, 'many-' || n, 'md', 'Many', 1, true, false, '{}',
         '{"type": "user", "id": "x", "label": "x"}', $3
       FROM generate_series($4::int, $5::int) n`,
      [
        uuidOf("prj", project.projectId),
        uuidOf("wsp", owner.workspaceId),
        uuidOf("usr", owner.userId),
        from,
        Math.min(from + 4_999, movedArtifacts),
      ],
    );
  const { code, extra } = await refusal();
  expect([code, extra]).toMatchObject(["invalid_request", { errors: [{ path: "projectId" }] }]);
});

test("a dry run says where it would stand and leaves it where it is; to where it is already nothing is written", async () => {
  expect(
    await setup.call(
      "project.move",
      { projectId: project.projectId, ownerUsername: team.slug },
      { as: owner.token, dryRun: true },
    ),
  ).toMatchObject({ ownerUsername: team.slug, dryRun: true });
  expect(
    (await setup.call("project.getByPath", { owner: owner.username, projectSlug: project.slug }, { as: owner.token }))
      .ownerUsername,
  ).toBe(owner.username);
  const before = await setup.db.run("SELECT event_id FROM audit_event ORDER BY event_id");
  expect(await move({ ownerUsername: owner.username })).toMatchObject({
    ownerUsername: owner.username,
    updatedAt: project.updatedAt,
  });
  expect(await setup.db.run("SELECT event_id FROM audit_event ORDER BY event_id")).toEqual(before);
});
