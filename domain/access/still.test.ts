// What is revoked while a publish waits for a compiler is not published afterwards, and nobody keeps others waiting.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { membership } from "@plinth/db/schema/accounts";
import { and, eq } from "drizzle-orm";

import { tokenHash } from "../credentials/token.ts";
import { createWorld, type Manner, type TestPerson, type World } from "../testing.ts";
import { closeThreads, runInThread } from "../threads/pool.ts";

let world: World;
let owner: TestPerson;
let member: TestPerson;
let team: { workspaceId: string; slug: string };
let artifactId: string;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
  member = await world.person();
  team = await world.team({ [owner.userId]: "admin", [member.userId]: "member" });
  const { slug } = await world.project(owner.token, team.slug);
  const wanted = { ownerUsername: team.slug, type: "jsx" as const, content: "export default () => 1" };
  ({ artifactId } = await world.publish(owner.token, slug, wanted));
});
afterAll(async () => {
  await closeThreads();
  await world.close();
});

/** Both threads are busy for a while: whatever wants one waits. */
const busy = () =>
  Promise.all(
    [1, 2].map(() =>
      runInThread("markdown", "\n- a\n\n  > b\n".repeat(180_000), { timeoutMs: 2000 }).catch(() => null),
    ),
  );

const publish = (manner: Manner) =>
  world.refusal("version.create", { artifactId, content: "export default 2" }, manner);
const head = async () => (await world.call("artifact.get", { artifactId }, { as: owner.token })).latestVersion;

test("whoever asks for one thing does not wait for all that another one asked for before", async () => {
  const ends = busy();
  const done: string[] = [];
  const key = await world.key(owner.userId);
  const one = (as: string, name: string) =>
    world.call("version.create", { artifactId, content: "export default () => 1" }, { as }).then(() => done.push(name));
  const all = Array.from({ length: 12 }, () => one(owner.token, "many"));
  await Bun.sleep(100);
  all.push(one(key, "one"));
  await Promise.all(all);
  expect(done.indexOf("one")).toBeLessThan(6);
  await ends;
}, 30_000);

test.each([{}, { idempotencyKey: "waits" }, { dryRun: true }])(
  "a link's and a member's %p",
  async (how) => {
    const link = await world.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
    const ends = busy();
    const before = await head();
    const byLink = publish({ ...how, share: { hash: tokenHash(link.token ?? "") } });
    const byMember = publish({ ...how, as: member.token });
    await Bun.sleep(500);
    await world.call("shareLink.revoke", { shareLinkId: link.shareLinkId }, { as: owner.token });
    await world.db.orm
      .delete(membership)
      .where(and(eq(membership.userId, member.userId), eq(membership.workspaceId, team.workspaceId)));
    expect((await byLink).code).toBe("unauthenticated");
    expect((await byMember).code).toBe("forbidden");
    expect(await head()).toBe(before);
    await ends;
    const { workspaceId } = team;
    await world.db.orm.insert(membership).values({ workspaceId, userId: member.userId, role: "member" });
  },
  30_000,
);
