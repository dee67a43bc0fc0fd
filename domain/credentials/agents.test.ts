// Agents' tokens: what one may be made with, and who sees and ends which.
import { afterAll, describe, expect, test } from "bun:test";

import { scopes, type Scope } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";

import { operatorToken } from "../test/context.ts";
import { createOwner, day, inDays, managing } from "./test/owner.ts";

const {
  setup,
  owner,
  session,
  createAgent: create,
  refusedAgent: refused,
  listAgents: listed,
  works,
} = await createOwner();
afterAll(() => setup.close());

describe("making one", () => {
  test("with a session: what is asked for, and it ends by itself alone", async () => {
    const { token = "", ...shown } = await create(session, { scopes: [...scopes], expiresAt: null });
    expect(token).toMatch(/^pla_[0-9A-Za-z]{39}$/);
    expect(shown).toMatchObject({ kind: "agent", client: null, workspaceId: null, expiresAt: null, lastUsedAt: null });
    const { agents } = await setup.call("agent.list", {}, { as: session });
    expect(agents.find(({ agentId }) => agentId === shown.agentId)).toEqual(shown);
    expect(await setup.call("profile.get", {}, { as: token })).toMatchObject({
      userId: owner.userId,
      credential: { type: "agent", scopes: [...scopes], label: "reviewer" },
    });
    expect(await create(session)).toMatchObject({ createdBy: { type: "user", id: owner.userId } });
  });

  test("takes agents:manage", async () => {
    const reader = await setup.key(owner.userId, ["artifacts:read"]);
    expect(await refused(reader)).toMatchObject({
      code: "insufficient_scope",
      extra: { requiredScope: "agents:manage" },
    });
  });

  test("gives no scope that its maker lacks", async () => {
    const key = await setup.key(owner.userId, managing);
    for (const scope of scopes) {
      const asked = { scopes: ["artifacts:read", ...(scope === "artifacts:read" ? [] : [scope])] };
      if (managing.includes(scope)) expect((await create(key, asked)).scopes).toEqual(asked.scopes as Scope[]);
      else {
        const refusal = await refused(key, asked);
        expect(refusal).toMatchObject({ code: "insufficient_scope", extra: { requiredScope: scope } });
      }
    }
  });

  test("goes to its maker's workspace, and no other", async () => {
    const team = await setup.team({ [owner.userId]: "member" });
    const key = await setup.key(owner.userId, managing, team.workspaceId);
    expect((await create(key)).workspaceId).toBe(team.workspaceId);
    expect((await create(key, { workspaceId: team.workspaceId })).workspaceId).toBe(team.workspaceId);
    expect((await refused(key, { workspaceId: owner.workspaceId })).code).toBe("not_found");
    const wide = await setup.key(owner.userId, managing);
    expect((await create(wide, { workspaceId: team.workspaceId })).workspaceId).toBe(team.workspaceId);
    expect((await create(wide)).workspaceId).toBeNull();
    const other = await setup.team({});
    expect((await refused(wide, { workspaceId: other.workspaceId })).code).toBe("not_found");
    expect((await refused(session, { workspaceId: other.workspaceId })).code).toBe("not_found");
  });

  test("ends no later than its maker", async () => {
    const { key = "" } = await setup.call(
      "operator.createApiKey",
      { userId: owner.userId, name: "short", scopes: [...managing], expiresAt: inDays(10) },
      { as: operatorToken },
    );
    const left = await create(key);
    expect(Math.abs(Date.parse(left.expiresAt ?? "") - Date.parse(inDays(10)))).toBeLessThan(day);
    const given = inDays(5);
    expect((await create(key, { expiresAt: given })).expiresAt).toBe(given);
    for (const expiresAt of [inDays(11), null]) {
      const refusal = await refused(key, { expiresAt });
      expect(refusal).toMatchObject({ code: "invalid_request", extra: { errors: [{ path: "expiresAt" }] } });
    }
    const nested = await create(key, { scopes: ["agents:manage"], expiresAt: inDays(2) });
    expect((await refused(nested.token ?? "", { scopes: ["agents:manage"], expiresAt: inDays(3) })).code).toBe(
      "invalid_request",
    );
  });

  test("by a key that was rotated ends with the day that key has left", async () => {
    const old = await setup.call("apiKey.create", { name: "k", scopes: [...managing] }, { as: session });
    await setup.call("apiKey.rotate", { apiKeyId: old.apiKeyId }, { as: session });
    const { expiresAt } = await create(old.key ?? "");
    expect(Date.parse(expiresAt ?? "")).toBeLessThanOrEqual(Date.now() + day);
  });
});

describe("who sees and ends which", () => {
  test("one's own alone; those held elsewhere are not there for what is held to a workspace", async () => {
    const stranger = await setup.person();
    const team = await setup.team({ [owner.userId]: "admin", [stranger.userId]: "admin" });
    const held = await setup.key(owner.userId, managing, team.workspaceId);
    const [inTeam, free] = [await create(held), await create(session)];
    expect(await listed(session)).toEqual(expect.arrayContaining([inTeam.agentId, free.agentId]));
    expect(await listed(held)).toEqual([inTeam.agentId]);
    const asStranger = await setup.session(stranger.userId);
    expect(await listed(asStranger)).toEqual([]);
    const missing = await setup.refusal("agent.revoke", { agentId: `agt_${"0".repeat(26)}` }, { as: held });
    for (const [as, agentId] of [
      [held, free.agentId],
      [asStranger, inTeam.agentId],
      [held, free.agentId.replace("agt_", "key_")],
      [held, "agt_x"],
    ] as const) {
      const refusal = await setup.refusal("agent.revoke", { agentId }, { as });
      expect({ code: refusal.code, detail: refusal.message, extra: refusal.extra }).toEqual({
        code: "not_found",
        detail: missing.message,
        extra: missing.extra,
      });
    }
    const keys = await setup.call("apiKey.create", { name: "k", scopes: ["artifacts:read"] }, { as: session });
    const asAgent = keys.apiKeyId.replace("key_", "agt_");
    expect((await setup.refusal("agent.revoke", { agentId: asAgent }, { as: session })).code).toBe("not_found");
    await setup.call("agent.revoke", { agentId: inTeam.agentId }, { as: held });
    expect(await works(inTeam.token)).toBe(false);
  });

  test("the expired are left out, and pages follow each other", async () => {
    const person = await setup.person();
    const as = await setup.session(person.userId);
    const made: string[] = [];
    for (let n = 0; n < 4; n++) made.unshift((await create(as)).agentId);
    await setup.db.run("UPDATE credential SET expires_at = now() WHERE credential_id = $1", [
      uuidOf("agt", made[0] ?? ""),
    ]);
    const first = await setup.call("agent.list", { limit: 2 }, { as });
    const second = await setup.call("agent.list", { limit: 2, cursor: first.nextCursor ?? "" }, { as });
    expect([...first.agents, ...second.agents].map(({ agentId }) => agentId)).toEqual(made.slice(1));
    expect(second.nextCursor).toBeNull();
  });
});
