// Replacing an API key: what the new one is, and what becomes of the old.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { createOwner, day, inDays } from "./test/owner.ts";

const { setup, owner, session, createKey: create, listKeys: listed, works, login } = await createOwner();
afterAll(() => setup.close());

test("gives the same again under another key; the old one is good for a day, and no longer than it was", async () => {
  const team = await setup.team({ [owner.userId]: "member" });
  const old = await create({ workspaceId: team.workspaceId, expiresAt: inDays(30) });
  const fresh = await setup.call("apiKey.rotate", { apiKeyId: old.apiKeyId }, { as: session });
  const { name, scopes: held, workspaceId } = old;
  expect(fresh).toMatchObject({ name, scopes: held, workspaceId });
  expect(fresh.apiKeyId).not.toBe(old.apiKeyId);
  expect(Math.abs(Date.parse(fresh.expiresAt ?? "") - (Date.now() + 30 * day))).toBeLessThan(3_600_000);
  expect([await works(old.key), await works(fresh.key)]).toEqual([true, true]);
  const { apiKeys } = await setup.call("apiKey.list", {}, { as: session });
  const replaced = apiKeys.find(({ apiKeyId }) => apiKeyId === old.apiKeyId);
  expect(Math.abs(Date.parse(replaced?.expiresAt ?? "") - (Date.now() + day))).toBeLessThan(3_600_000);

  await setup.db.run("UPDATE credential SET revoked_at = now() WHERE credential_id = $1", [
    uuidOf("key", old.apiKeyId),
  ]);
  expect([await works(old.key), await works(fresh.key)]).toEqual([false, true]);
  expect(await listed()).not.toContain(old.apiKeyId);

  const forever = await create({ expiresAt: null });
  expect((await setup.call("apiKey.rotate", { apiKeyId: forever.apiKeyId }, { as: session })).expiresAt).toBeNull();
  const short = await create({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await setup.call("apiKey.rotate", { apiKeyId: short.apiKeyId }, { as: session });
  const again = await setup.call("apiKey.list", {}, { as: session });
  expect(again.apiKeys.find(({ apiKeyId }) => apiKeyId === short.apiKeyId)?.expiresAt).toBe(short.expiresAt);
});

test("is done once, however many try at once", async () => {
  const { apiKeyId } = await create();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      setup.call("apiKey.rotate", { apiKeyId }, { as: session }).then(
        () => "made",
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(answers.toSorted()).toEqual([...Array.from({ length: 19 }, () => "forbidden"), "made"]);
});

test("passes on what was made with the old one: it ends with the new one", async () => {
  const old = await create({ scopes: ["artifacts:read", "agents:manage"] });
  const agent = await setup.call("agent.create", { name: "a", scopes: ["artifacts:read"] }, { as: old.key ?? "" });
  const fresh = await setup.call("apiKey.rotate", { apiKeyId: old.apiKeyId }, { as: session });
  await setup.call("apiKey.revoke", { apiKeyId: old.apiKeyId }, { as: session });
  expect([await works(old.key), await works(agent.token)]).toEqual([false, true]);
  await setup.call("apiKey.revoke", { apiKeyId: fresh.apiKeyId }, { as: session });
  expect(await works(agent.token)).toBe(false);
});

test("with a login takes the scopes of the key, and no more is made than with it", async () => {
  const { token = "", agentId } = await login(["artifacts:read", "agents:manage"]);
  const wide = await create({ scopes: ["artifacts:read", "artifacts:delete"], expiresAt: null });
  const refusal = await setup.refusal("apiKey.rotate", { apiKeyId: wide.apiKeyId }, { as: token });
  expect(refusal).toMatchObject({ code: "insufficient_scope", extra: { requiredScope: "artifacts:delete" } });
  expect(await works(wide.key)).toBe(true);
  const narrow = await create({ expiresAt: null });
  const fresh = await setup.call("apiKey.rotate", { apiKeyId: narrow.apiKeyId }, { as: token });
  expect(fresh.expiresAt).not.toBeNull();
  await setup.call("agent.revoke", { agentId }, { as: session });
  expect(await works(fresh.key)).toBe(false);
});
