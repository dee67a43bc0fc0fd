// A request with an Idempotency-Key that waits for another request with the same key: access is decided again when the
// wait is over.
import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction, type HeldTransaction } from "@plinth/db/test/locks";

import { createSetup, operatorToken, type Manner, type TestPerson, type Setup } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";

let setup: Setup;
let owner: TestPerson;
let member: TestPerson;
let team: { workspaceId: string; slug: string };
let artifactId: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  member = await setup.person();
  team = await setup.team({ [owner.userId]: "admin", [member.userId]: "member" });
  const { slug } = await setup.project(owner.token, team.slug);
  const access = { publicView: false, publicEdit: false };
  ({ artifactId } = await setup.publish(owner.token, slug, { ownerUsername: team.slug, access }));
});
afterAll(() => setup.close());

const now = performance.now.bind(performance);
let clock: { mockRestore(): void } | null = null;
afterEach(() => clock?.mockRestore());
/** Every decision that was made so far is a second old: more than a decision holds, and less than a request may wait. */
function passTime(): void {
  clock = spyOn(performance, "now").mockImplementation(() => now() + 1000);
}

const publish = (manner: Manner, content: string) =>
  setup.call("version.create", { artifactId, content }, manner).then(
    () => "done",
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
const latest = async () => (await setup.call("artifact.get", { artifactId }, { as: owner.token })).latestVersion;

/** Another request of the principal with this key, which is not over. */
const takeKey = (held: HeldTransaction, principal: string, key: string) =>
  held.run("INSERT INTO idempotency (principal, key, request) VALUES ($1, $2, '\\x00')", [principal, key]);

async function memberKey() {
  const fields = {
    userId: member.userId,
    name: "key",
    scopes: ["artifacts:update" as const, "artifacts:read" as const],
  };
  const { apiKeyId, key = "" } = await setup.call("operator.createApiKey", fields, { as: operatorToken });
  return { apiKeyId, key };
}

for (const end of ["rolled back", "committed"] as const)
  test(`a credential that is revoked while its request waits for one that is ${end}: unauthenticated`, async () => {
    const { apiKeyId, key } = await memberKey();
    const before = await latest();
    await holdTransaction(setup.db.url, async (held) => {
      await takeKey(held, apiKeyId, "revoked");
      const publishing = publish({ as: key, idempotencyKey: "revoked" }, "# late");
      await held.untilWaitedFor(publishing);
      await setup.db.run("UPDATE credential SET revoked_at = now() WHERE credential_id = $1", [
        uuidOf("key", apiKeyId),
      ]);
      passTime();
      await (end === "committed" ? held.commit() : held.rollback());
      expect(await publishing).toBe("unauthenticated");
    });
    expect(await latest()).toBe(before);
  });

test("a request that waited and is still allowed is done", async () => {
  const { apiKeyId, key } = await memberKey();
  const before = await latest();
  await holdTransaction(setup.db.url, async (held) => {
    await takeKey(held, apiKeyId, "allowed");
    const publishing = publish({ as: key, idempotencyKey: "allowed" }, "# allowed");
    await held.untilWaitedFor(publishing);
    passTime();
    await held.rollback();
    expect(await publishing).toBe("done");
  });
  expect(await latest()).toBe(before + 1);
});

test("a member who leaves while their request waits gets forbidden, though a share link would allow the request", async () => {
  const link = await setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
  const { apiKeyId, key } = await memberKey();
  const share = { hash: tokenHash(link.token ?? "") };
  const before = await latest();
  await holdTransaction(setup.db.url, async (held) => {
    await takeKey(held, apiKeyId, "another right");
    const publishing = publish({ as: key, share, idempotencyKey: "another right" }, "# late");
    await held.untilWaitedFor(publishing);
    await setup.db.run("DELETE FROM membership WHERE user_id = $1 AND workspace_id = $2", [
      uuidOf("usr", member.userId),
      uuidOf("wsp", team.workspaceId),
    ]);
    passTime();
    await held.rollback();
    expect(await publishing).toBe("forbidden");
  });
  expect(await latest()).toBe(before);
  // From now on the link is the right by which it is done.
  expect(await publish({ as: key, share }, "# by the link")).toBe("done");
});

test("a decision that is young is not made again: the same request takes one statement less", async () => {
  const { key } = await ownerKey();
  // Not `setup.statementsOf`, which stops the clock.
  const statements = async (idempotencyKey: string) => {
    const before = setup.db.statements.total;
    await setup.call("artifact.undelete", { artifactId }, { as: key, idempotencyKey });
    return setup.db.statements.total - before;
  };
  // The clock stands still, then every reading of it is 0.3 s after the last one: more than a decision holds.
  let time = now();
  clock = spyOn(performance, "now").mockImplementation(() => time);
  const young = await statements("young");
  clock.mockRestore();
  clock = spyOn(performance, "now").mockImplementation(() => (time += 300));
  expect(await statements("old")).toBe(young + 1);
});

async function ownerKey() {
  const { userId } = owner;
  const scopes = ["artifacts:read" as const, "artifacts:update" as const, "artifacts:delete" as const];
  return setup
    .call("operator.createApiKey", { userId, name: "key", scopes }, { as: operatorToken })
    .then(({ key = "" }) => ({ key }));
}
