// Workspaces: who sees which, who makes a team, and what stands in one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { workspaceRoles, type WorkspaceRole } from "@plinth/contract/roles";
import { scopes } from "@plinth/contract/scopes";

import { createSetup, type Caller, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let asOwner: Caller;
let team: { workspaceId: string; slug: string };
const byRole = new Map<WorkspaceRole, TestPerson>();

beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  asOwner = await setup.session(owner.userId);
  for (const role of workspaceRoles) byRole.set(role, await setup.person());
  const members = [...byRole].map(([role, { userId }]) => [userId, role] as const);
  team = await setup.team({ [owner.userId]: "admin", ...Object.fromEntries(members) });
});
afterAll(() => setup.close());

const memberOf = (role: WorkspaceRole): TestPerson => {
  const person = byRole.get(role);
  if (person === undefined) throw new Error(`nobody is ${role}`);
  return person;
};

describe("the list of workspaces", () => {
  test("has those one belongs to, newest first, by pages, with role, plan and seats", async () => {
    const { token, userId, workspaceId } = await setup.person({ plan: "pro" });
    const own = await Promise.all([0, 1, 2].map(() => setup.team({ [userId]: "viewer", [owner.userId]: "admin" })));
    const expected = [workspaceId, ...own.map((place) => place.workspaceId)].toSorted().toReversed();
    const first = await setup.call("workspace.list", { limit: 3 }, { as: token });
    const rest = await setup.call("workspace.list", { limit: 3, cursor: first.nextCursor ?? "" }, { as: token });
    const all = [...first.workspaces, ...rest.workspaces];
    expect(all.map((place) => place.workspaceId)).toEqual(expected);
    expect(rest.nextCursor).toBeNull();
    expect(all.find((place) => place.workspaceId === workspaceId)).toMatchObject({
      kind: "personal",
      role: "admin",
      plan: "pro",
      seats: { used: 1, limit: 1 },
    });
    expect(all.find((place) => place.workspaceId === own[0]?.workspaceId)).toMatchObject({
      kind: "team",
      role: "viewer",
      plan: "team",
      seats: { used: 2, limit: 10 },
    });
  });

  test("of a credential held to one workspace is that one, and a foreign cursor is refused", async () => {
    const held = await setup.key(owner.userId, scopes, team.workspaceId);
    const { workspaces } = await setup.call("workspace.list", {}, { as: held });
    expect(workspaces.map(({ workspaceId }) => workspaceId)).toEqual([team.workspaceId]);
    const { workspaceId } = team;
    const { nextCursor } = await setup.call("member.list", { workspaceId, limit: 1 }, { as: held });
    const refusal = await setup.refusal("workspace.list", { cursor: nextCursor ?? "" }, { as: held });
    expect(refusal.extra.errors?.[0]?.path).toBe("cursor");
    expect((await setup.refusal("workspace.list", {})).code).toBe("unauthenticated");
  });
});

describe("making a team", () => {
  test("the plan's holder is its admin, and its seats come from their plan", async () => {
    const made = await setup.call("workspace.create", { slug: setup.name("team"), name: "Acme Inc." }, { as: asOwner });
    expect(made).toMatchObject({ name: "Acme Inc.", kind: "team", role: "admin", plan: "team" });
    expect(made.seats).toEqual({ used: 1, limit: 10 });
    const { workspaces } = await setup.call("workspace.list", {}, { as: asOwner });
    expect(workspaces[0]).toEqual(made);
    const { slug } = await setup.project(asOwner, made.slug);
    expect(await setup.publish(asOwner, slug, { ownerUsername: made.slug })).toMatchObject({
      ownerUsername: made.slug,
      workspaceId: made.workspaceId,
    });
  });

  test.each(["free", "pro"] as const)("the plan %s does not include it", async (plan) => {
    const as = await setup.session((await setup.person({ plan })).userId);
    const refusal = await setup.refusal("workspace.create", { slug: owner.username, name: "Team" }, { as });
    expect(refusal).toMatchObject({
      code: "plan_required",
      extra: {
        entitlement: "teamWorkspaces",
        requiredPlan: "team",
        upgradeUrl: `${setup.instance.config.publicUrl}/settings/billing`,
      },
    });
  });

  test("its name is of the one space of names", async () => {
    const refusal = await setup.refusal("workspace.create", { slug: owner.username, name: "Team" }, { as: asOwner });
    expect(refusal.code).toBe("slug_conflict");
    const slug = String(refusal.extra["suggestion"]);
    expect(await setup.call("workspace.create", { slug, name: "Team" }, { as: asOwner })).toMatchObject({ slug });
  });

  test("a dry run makes none, and keys make none at all", async () => {
    const slug = setup.name("team");
    const dry = await setup.answer("workspace.create", { slug, name: "Team" }, { as: asOwner, dryRun: true });
    expect(dry).toMatchObject({ status: 200, value: { slug, role: "admin", dryRun: true } });
    expect(
      (await setup.call("workspace.list", {}, { as: asOwner })).workspaces.map((place) => place.slug),
    ).not.toContain(slug);
    expect((await setup.refusal("workspace.create", { slug, name: "Team" }, { as: owner.token })).code).toBe(
      "forbidden",
    );
    expect((await setup.refusal("workspace.create", { slug, name: "Team" })).code).toBe("unauthenticated");
  });
});

describe("what stands in a workspace", () => {
  test("is seen by each role, and is missing to everyone else", async () => {
    const { slug, projectId } = await setup.project(asOwner, team.slug);
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await setup.publish(asOwner, slug, { ownerUsername: team.slug, access });
    const { workspaceId } = team;
    for (const role of workspaceRoles) {
      const as = memberOf(role).token;
      const { projects } = await setup.call("workspace.projects", { workspaceId }, { as });
      expect(projects).toMatchObject([{ projectId, artifactCount: 1, ownerUsername: team.slug }]);
      const { artifacts } = await setup.call("workspace.artifacts", { workspaceId }, { as });
      expect(artifacts).toMatchObject([{ artifactId, permissions: { edit: role === "admin" || role === "member" } }]);
    }
    const stranger = await setup.person();
    const heldElsewhere = await setup.key(owner.userId, scopes, owner.workspaceId);
    for (const name of ["workspace.projects", "workspace.artifacts", "member.list"] as const) {
      for (const as of [stranger.token, await setup.session(stranger.userId), heldElsewhere])
        expect((await setup.refusal(name, { workspaceId }, { as })).code).toBe("not_found");
      expect((await setup.refusal(name, { workspaceId })).code).toBe("unauthenticated");
    }
    const narrow = await setup.key(owner.userId, ["artifacts:create"]);
    expect((await setup.refusal("workspace.artifacts", { workspaceId }, { as: narrow })).code).toBe(
      "insufficient_scope",
    );
  });

  test("is listed by pages, newest first, without what is elsewhere or deleted", async () => {
    const place = await setup.team({ [owner.userId]: "admin" });
    const { slug } = await setup.project(asOwner, place.slug);
    const publish = () => setup.publish(asOwner, slug, { ownerUsername: place.slug });
    const made = [await publish(), await publish(), await publish()].map(({ artifactId }) => artifactId);
    await setup.call("artifact.delete", { artifactId: made[1] ?? "" }, { as: asOwner });
    const { workspaceId } = place;
    const first = await setup.call("workspace.artifacts", { workspaceId, limit: 1 }, { as: asOwner });
    const cursor = first.nextCursor ?? "";
    const rest = await setup.call("workspace.artifacts", { workspaceId, limit: 1, cursor }, { as: asOwner });
    const ids = [...first.artifacts, ...rest.artifacts].map(({ artifactId }) => artifactId);
    expect(ids).toEqual([made[2] ?? "", made[0] ?? ""]);
    expect(rest.nextCursor).toBeNull();
  });
});

describe("publishing into a team", () => {
  const access = { publicView: true, publicEdit: false };
  const may: Record<WorkspaceRole, boolean> = { admin: true, member: true, viewer: false, billing_admin: false };
  let project: string;
  beforeAll(async () => {
    project = (await setup.project(asOwner, team.slug)).slug;
  });
  const ways = (as: Caller) => {
    const body = () => ({
      projectSlug: project,
      slug: setup.name("artifact"),
      type: "md",
      title: "T",
      content: "x",
      access,
    });
    return [
      () => setup.answer("artifact.create", { ...body(), ownerUsername: team.slug }, { as }),
      () => setup.answer("artifact.createInWorkspace", { ...body(), workspaceId: team.workspaceId }, { as }),
    ];
  };
  const codes = (as: Caller) =>
    Promise.all(
      ways(as).map((way) =>
        way().then(
          () => "done",
          (error: { code: string }) => error.code,
        ),
      ),
    );

  test.each([...workspaceRoles])("by a %s, with a key and by session, both ways", async (role) => {
    const person = memberOf(role);
    for (const as of [person.token, await setup.session(person.userId)]) {
      const expected = may[role] ? "done" : "forbidden";
      expect(await codes(as)).toEqual([expected, expected]);
    }
  });

  test("by a stranger, and by a member's key that is held to another workspace: it is missing", async () => {
    const stranger = await setup.person();
    const member = memberOf("member");
    const heldElsewhere = await setup.key(member.userId, scopes, member.workspaceId);
    // The project has public artifacts and so is seen; the workspace is not.
    for (const as of [stranger.token, heldElsewhere]) expect(await codes(as)).toEqual(["forbidden", "forbidden"]);
    project = (await setup.project(asOwner, team.slug)).slug;
    for (const as of [stranger.token, heldElsewhere]) expect(await codes(as)).toEqual(["not_found", "not_found"]);
  });

  test("a key held to the team publishes there without naming it", async () => {
    const held = await setup.key(memberOf("member").userId, scopes, team.workspaceId);
    expect(await setup.publish(held, project)).toMatchObject({ ownerUsername: team.slug });
  });
});
