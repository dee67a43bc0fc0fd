// Uses of share links: recorded without a write, counted by one statement, with an event each.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { newId, uuidOf } from "@plinth/db/columns";
import { connect } from "@plinth/db/connection";

import type { LinkHolder } from "../access/principal.ts";
import type { ShareUses } from "../services.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { createShareUses } from "./uses.ts";

let setup: Setup;
let owner: TestPerson;
let artifactId: string;
let uses: ShareUses;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  const { slug } = await setup.project(owner.token);
  ({ artifactId } = await setup.publish(owner.token, slug));
});
beforeEach(() => {
  uses = createShareUses(setup.db);
});
afterAll(() => setup.close());

const make = (label?: string) =>
  setup.call(
    "shareLink.create",
    { artifactId, role: "viewer", ...(label === undefined ? {} : { label }) },
    { as: owner.token },
  );
const holderOf = ({ shareLinkId, label, role }: Pick<ShareLink, "shareLinkId" | "label" | "role">): LinkHolder => ({
  type: "share_link",
  link: { shareLinkId, artifactId, role, label },
  beside: { type: "anonymous", address: "" },
});
const delivery = { surface: "api", requestId: "req-test-use" } as const;
const linkNow = async (shareLinkId: string) => {
  const { shareLinks } = await setup.call("shareLink.list", { artifactId, limit: 100 }, { as: owner.token });
  return shareLinks.find((link) => link.shareLinkId === shareLinkId);
};
const eventsOf = async (shareLinkId: string) => [
  ...(await setup.db.run<Record<string, unknown>>(
    `SELECT actor, surface, workspace_id, artifact_id, target_type, after, request_id, xmin::text
     FROM audit_event WHERE target_id = $1 AND kind = 'share_link.used' ORDER BY event_id`,
    [shareLinkId],
  )),
];

test("many uses of many links are one statement, and an event for each link in its transaction", async () => {
  const [first, second] = [await make("First"), await make()];
  const statements = await setup.statementsOf(async () => {
    for (let n = 0; n < 7; n++) uses.record(holderOf(first), delivery);
    uses.record(holderOf(second), { surface: "web", requestId: "req-test-web" });
    await uses.flush();
    await uses.flush();
  });
  expect(statements).toBe(1);
  expect(await linkNow(first.shareLinkId)).toMatchObject({ useCount: 7, lastUsedAt: expect.any(String) });
  expect(await linkNow(second.shareLinkId)).toMatchObject({ useCount: 1 });
  const [row] = await setup.db.run<{ xmin: string }>("SELECT xmin::text FROM share_link WHERE share_link_id = $1", [
    uuidOf("shr", first.shareLinkId),
  ]);
  expect(await eventsOf(first.shareLinkId)).toEqual([
    {
      actor: { type: "share_link", id: first.shareLinkId, label: "First" },
      surface: "api",
      workspace_id: uuidOf("wsp", owner.workspaceId),
      artifact_id: uuidOf("art", artifactId),
      target_type: "share_link",
      after: { uses: 7, useCount: 7 },
      request_id: "req-test-use",
      xmin: row?.xmin,
    },
  ]);
  expect(await eventsOf(second.shareLinkId)).toMatchObject([
    { actor: { label: "Share link" }, surface: "web", after: { uses: 1, useCount: 1 } },
  ]);
  uses.record(holderOf(first), delivery);
  await uses.flush();
  expect((await eventsOf(first.shareLinkId)).at(-1)).toMatchObject({ after: { uses: 1, useCount: 8 } });
});

test("an unknown link is not counted", async () => {
  uses.record({ type: "anonymous", address: "" }, delivery);
  uses.record({ type: "operator" }, delivery);
  expect(await setup.statementsOf(() => uses.flush())).toBe(0);
});

test("concurrent flushes of several processes lose nothing and do not block each other", async () => {
  const links = await Promise.all(Array.from({ length: 12 }, () => make()));
  const rounds = 10;
  const processes = Array.from({ length: 6 }, (_, at) => async () => {
    const own = createShareUses(setup.db);
    const inOrder = at % 2 === 0 ? links : links.toReversed();
    for (let round = 0; round < rounds; round++) {
      for (const link of inOrder) own.record(holderOf(link), delivery);
      await own.flush();
    }
  });
  const revoking = links
    .slice(0, 6)
    .map(({ shareLinkId }) => setup.call("shareLink.revoke", { shareLinkId }, { as: owner.token }));
  await Promise.all([...processes.map((process) => process()), ...revoking]);
  for (const { shareLinkId } of links) {
    expect(await linkNow(shareLinkId)).toMatchObject({ useCount: processes.length * rounds });
    const events = await eventsOf(shareLinkId);
    expect(events).toHaveLength(processes.length * rounds);
  }
});

test("the deletion of the artifact and uses of its links at once do not stand in each other's way", async () => {
  const { slug } = await setup.project(owner.token);
  const doomed = await setup.publish(owner.token, slug);
  const links = await Promise.all(
    Array.from({ length: 12 }, () =>
      setup.call("shareLink.create", { artifactId: doomed.artifactId, role: "viewer" }, { as: owner.token }),
    ),
  );
  const using = Array.from({ length: 6 }, async () => {
    const own = createShareUses(setup.db);
    for (const link of links.toReversed()) own.record(holderOf(link), delivery);
    await own.flush();
  });
  await Promise.all([...using, setup.call("artifact.delete", { artifactId: doomed.artifactId }, { as: owner.token })]);
  const rows = await setup.db.run<{ use_count: number }>("SELECT use_count FROM share_link WHERE artifact_id = $1", [
    uuidOf("art", doomed.artifactId),
  ]);
  expect([...rows]).toEqual(links.map(() => ({ use_count: 6 })));
});

test("a failed flush keeps the recorded uses, with those recorded since", async () => {
  const link = await make();
  const away = connect({ url: "postgres://nobody@127.0.0.1:1/nothing", max: 1 });
  let current = away as { run: typeof away.run };
  const own = createShareUses({ ...setup.db, orm: setup.db.orm, run: (...asked) => current.run(...asked) });
  own.record(holderOf(link), delivery);
  const flushing = own.flush().catch(() => "failed");
  own.record(holderOf(link), delivery);
  expect(await flushing).toBe("failed");
  current = setup.db;
  await own.flush();
  expect(await linkNow(link.shareLinkId)).toMatchObject({ useCount: 2 });
  await away.close();
});

test("a link that is gone hinders no other, and a count stays within its bounds", async () => {
  const link = await make();
  await setup.db.run("UPDATE share_link SET use_count = 2147483646 WHERE share_link_id = $1", [
    uuidOf("shr", link.shareLinkId),
  ]);
  uses.record(holderOf({ ...link, shareLinkId: newId("shr") }), delivery);
  for (let n = 0; n < 5; n++) uses.record(holderOf(link), delivery);
  await uses.flush();
  expect(await linkNow(link.shareLinkId)).toMatchObject({ useCount: 2_147_483_647 });
});

test("the time of last use never goes back", async () => {
  const link = await make();
  const ahead = new Date(Date.now() + 3_600_000);
  await setup.db.run("UPDATE share_link SET last_used_at = $2 WHERE share_link_id = $1", [
    uuidOf("shr", link.shareLinkId),
    ahead,
  ]);
  uses.record(holderOf(link), delivery);
  await uses.flush();
  expect(await linkNow(link.shareLinkId)).toMatchObject({ lastUsedAt: ahead.toISOString() });
});
