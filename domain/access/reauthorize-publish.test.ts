// A publish that waits for a compiler fails where its access is revoked before the write, and blocks no other caller.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { membership } from "@plinth/db/schema/accounts";
import { and, eq } from "drizzle-orm";

import { createWorld, type Caller, type Manner, type TestPerson, type World } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { occupy } from "../threads/test/work.ts";
import { tokenHash } from "../tokens/token.ts";

let world: World;
let owner: TestPerson;
let member: TestPerson;
let team: { workspaceId: string; slug: string };
let artifactId: string;
let teamProject: string;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
  member = await world.person();
  team = await world.team({ [owner.userId]: "admin", [member.userId]: "member" });
  const { slug } = await world.project(owner.token, team.slug);
  teamProject = slug;
  const wanted = { ownerUsername: team.slug, type: "jsx" as const, content: "export default () => 1" };
  ({ artifactId } = await world.publish(owner.token, slug, wanted));
});
afterAll(async () => {
  await closeThreads();
  await world.close();
});

const publish = (manner: Manner) =>
  world.refusal("version.create", { artifactId, content: "export default 2" }, manner);
const head = async () => (await world.call("artifact.get", { artifactId }, { as: owner.token })).latestVersion;

test("a workspace's places are taken: its publishing waits, another workspace's goes on", async () => {
  const release = await occupy(team.workspaceId);
  const done: string[] = [];
  const own = await world.publish(member.token, (await world.project(member.token)).slug, { type: "md" });
  const jsx = { type: "jsx" as const, content: "export default () => 1" };
  const one = (as: Caller, project: string, ownerUsername: string) =>
    world.publish(as, project, { ...jsx, ownerUsername }).then(() => done.push(ownerUsername));
  const waits = one(await world.session(owner.userId), teamProject, team.slug);
  await one(member.token, own.projectSlug, member.username);
  expect(done).toEqual([member.username]);
  await release();
  await waits;
  expect(done).toHaveLength(2);
});

test.each([{}, { idempotencyKey: "waits" }, { dryRun: true }])(
  "a link's and a member's %p",
  async (how) => {
    const link = await world.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
    // A caller by the link alone counts by address, which belongs to no workspace.
    const release = await occupy("address:192.0.2.1", team.workspaceId);
    const before = await head();
    const as = await world.session(member.userId);
    const from = world.db.statements.total;
    const byLink = publish({ ...how, share: { hash: tokenHash(link.token ?? "") } });
    const byMember = publish({ ...how, as });
    // Wait until both have reached the database, which takes long on a busy machine.
    while (world.db.statements.total < from + 2) await Bun.sleep(1);
    // Long enough for both to be authorized, and for that decision to be too old to reuse.
    await Bun.sleep(1000);
    await world.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: owner.token });
    await world.db.orm
      .delete(membership)
      .where(and(eq(membership.userId, member.userId), eq(membership.workspaceId, team.workspaceId)));
    await release();
    expect((await byLink).code).toBe("unauthenticated");
    expect((await byMember).code).toBe("forbidden");
    expect(await head()).toBe(before);
    const { workspaceId } = team;
    await world.db.orm.insert(membership).values({ workspaceId, userId: member.userId, role: "member" });
  },
  30_000,
);
