// A publish that waits for a compiler fails where its access is revoked before the write, and blocks no other caller.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { membership } from "@plinth/db/schema/accounts";
import { and, eq } from "drizzle-orm";

import { createSetup, type Caller, type Manner, type TestPerson, type Setup } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { occupy } from "../threads/test/work.ts";
import { tokenHash } from "../tokens/token.ts";

let setup: Setup;
let owner: TestPerson;
let member: TestPerson;
let team: { workspaceId: string; slug: string };
let artifactId: string;
let teamProject: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  member = await setup.person();
  team = await setup.team({ [owner.userId]: "admin", [member.userId]: "member" });
  const { slug } = await setup.project(owner.token, team.slug);
  teamProject = slug;
  const wanted = { ownerUsername: team.slug, type: "jsx" as const, content: "export default () => 1" };
  ({ artifactId } = await setup.publish(owner.token, slug, wanted));
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

const publish = (manner: Manner) =>
  setup.refusal("version.create", { artifactId, content: "export default 2" }, manner);
const head = async () => (await setup.call("artifact.get", { artifactId }, { as: owner.token })).latestVersion;

test("a workspace's places are taken: its publishing waits, another workspace's goes on", async () => {
  const release = await occupy(team.workspaceId);
  const done: string[] = [];
  const own = await setup.publish(member.token, (await setup.project(member.token)).slug, { type: "md" });
  const jsx = { type: "jsx" as const, content: "export default () => 1" };
  const one = (as: Caller, project: string, ownerUsername: string) =>
    setup.publish(as, project, { ...jsx, ownerUsername }).then(() => done.push(ownerUsername));
  const waits = one(await setup.session(owner.userId), teamProject, team.slug);
  await one(member.token, own.projectSlug, member.username);
  expect(done).toEqual([member.username]);
  await release();
  await waits;
  expect(done).toHaveLength(2);
});

test.each([{}, { idempotencyKey: "waits" }, { dryRun: true }])(
  "a link's and a member's %p",
  async (how) => {
    const link = await setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
    // A caller by the link alone counts by address, which belongs to no workspace.
    const release = await occupy("address:192.0.2.1", team.workspaceId);
    const before = await head();
    const as = await setup.session(member.userId);
    const from = setup.db.statements.total;
    const byLink = publish({ ...how, share: { hash: tokenHash(link.token ?? "") } });
    const byMember = publish({ ...how, as });
    // Wait until both have reached the database, which takes long on a busy machine.
    while (setup.db.statements.total < from + 2) await Bun.sleep(1);
    // Long enough for both to be authorized, and for that decision to be too old to reuse.
    await Bun.sleep(1000);
    await setup.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: owner.token });
    await setup.db.orm
      .delete(membership)
      .where(and(eq(membership.userId, member.userId), eq(membership.workspaceId, team.workspaceId)));
    await release();
    expect((await byLink).code).toBe("unauthenticated");
    expect((await byMember).code).toBe("forbidden");
    expect(await head()).toBe(before);
    const { workspaceId } = team;
    await setup.db.orm.insert(membership).values({ workspaceId, userId: member.userId, role: "member" });
  },
  30_000,
);
