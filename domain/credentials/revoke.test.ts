// Ending a credential ends what was made with it: all of it, once, and nothing else.
import { afterAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { connectClient } from "./test/clients.ts";
import { createOwner, managing } from "./test/owner.ts";

const { setup, owner, session, createAgent: create, listAgents: listed, works } = await createOwner();
afterAll(() => setup.close());

test("revokes everything created with it, directly or indirectly, with an audit event each", async () => {
  const key = await setup.call("apiKey.create", { name: "root", scopes: [...managing] }, { as: session });
  const makers: string[] = [key.key ?? ""];
  const made: { agentId: string; token: string }[] = [];
  for (let level = 0; level < 4; level++) {
    for (const maker of makers.splice(0)) {
      for (let n = 0; n < 2; n++) {
        const { agentId, token = "" } = await create(maker, { scopes: ["artifacts:read", "agents:manage"] });
        made.push({ agentId, token });
        makers.push(token);
      }
    }
  }
  const bystander = await create(session);
  const branch = made[0];
  if (branch === undefined) throw new Error("nothing was made");
  const requestId = "revoke-branch-1";
  await setup.answer("agent.revoke", { agentId: branch.agentId }, { as: session, requestId });
  const events = await setup.db.run<{ kind: string; target_id: string; xmin: string }>(
    "SELECT kind, target_id, xmin::text FROM audit_event WHERE request_id = $1",
    [requestId],
  );
  expect(events).toHaveLength(1 + 2 + 4 + 8);
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["agent.revoked"]));
  expect(new Set(events.map(({ target_id }) => target_id)).size).toBe(15);
  expect(new Set(events.map(({ xmin }) => xmin)).size).toBe(1);
  const ended = new Set(events.map(({ target_id }) => target_id));
  for (const { agentId, token } of made) expect(await works(token)).toBe(!ended.has(agentId));
  await setup.call("apiKey.revoke", { apiKeyId: key.apiKeyId }, { as: session });
  for (const { token } of made) expect(await works(token)).toBe(false);
  expect(await works(bystander.token)).toBe(true);
  expect((await listed(session)).filter((id) => made.some(({ agentId }) => agentId === id))).toEqual([]);
});

test("revokes also what is being created at the same time", async () => {
  for (let round = 0; round < 20; round++) {
    const key = await setup.call("apiKey.create", { name: "racing", scopes: [...managing] }, { as: session });
    const root = await create(key.key ?? "", { scopes: ["artifacts:read", "agents:manage"] });
    const making = [key.key, root.token, key.key, root.token, key.key, root.token].map((as = "") =>
      create(as).then(
        ({ token }) => token,
        () => undefined,
      ),
    );
    const ending = Promise.all([
      setup.call("apiKey.revoke", { apiKeyId: key.apiKeyId }, { as: session }),
      setup.call("agent.revoke", { agentId: root.agentId }, { as: session }).catch(() => null),
    ]);
    const tokens = [...(await Promise.all(making)), root.token, key.key].filter((token) => token !== undefined);
    await ending;
    for (const token of tokens) expect(await works(token)).toBe(false);
  }
  const [left] = await setup.db.run<{ rows: number }>(
    `SELECT count(*)::int AS rows FROM credential c JOIN credential m ON m.credential_id = c.made_with
     WHERE m.revoked_at <= now() AND c.revoked_at IS NULL`,
  );
  expect(left?.rows).toBe(0);
});

test("happens once, however many ask at once, and leaves one event", async () => {
  const { agentId } = await create(session);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      setup.call("agent.revoke", { agentId }, { as: session }).then(
        () => "ended",
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(answers.toSorted()).toEqual(["ended", ...Array.from({ length: 9 }, () => "not_found")]);
  const [events] = await setup.db.run<{ rows: number }>(
    "SELECT count(*)::int AS rows FROM audit_event WHERE kind = 'agent.revoked' AND target_id = $1",
    [agentId],
  );
  expect(events?.rows).toBe(1);
});

test("of a connected client takes its consent, its tokens and the logins made with it", async () => {
  const client = await connectClient(setup, owner.userId);
  const other = await connectClient(setup, owner.userId);
  const sameClient = await setup.person();
  const shown = await setup.call("agent.list", {}, { as: session });
  expect(shown.agents.find(({ agentId }) => agentId === client.agentId)).toMatchObject({
    kind: "oauth",
    name: "Editor",
    client: "Editor",
    expiresAt: null,
  });
  expect(await works(client.caller)).toBe(true);
  const agent = await create(client.caller);
  await setup.db.run(
    `INSERT INTO oauth_consent (id, client_id, user_id, scopes) VALUES (gen_random_uuid(), $1, $2, '{}')`,
    [client.clientId, uuidOf("usr", sameClient.userId)],
  );
  await setup.call("agent.revoke", { agentId: client.agentId }, { as: session });
  expect([await works(client.caller), await works(agent.token), await works(other.caller)]).toEqual([
    false,
    false,
    true,
  ]);
  const left = (table: string) =>
    setup.db.run(`SELECT 1 FROM ${table} WHERE client_id = $1 AND revoked IS NULL`, [client.clientId]);
  expect([...(await left("oauth_access_token")), ...(await left("oauth_refresh_token"))]).toEqual([]);
  const consents = await setup.db.run<{ user_id: string }>("SELECT user_id FROM oauth_consent WHERE client_id = $1", [
    client.clientId,
  ]);
  expect(consents.map((row) => row.user_id)).toEqual([uuidOf("usr", sameClient.userId)]);
});
