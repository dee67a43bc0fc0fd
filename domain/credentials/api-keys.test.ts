// API keys: who sees, makes and ends which.
import { afterAll, describe, expect, test } from "bun:test";

import { scopes } from "@plinth/contract/scopes";
import { uuidOf } from "@plinth/db/columns";

import { type Caller, type Setup } from "../test/context.ts";
import { tokenHash } from "../tokens/token.ts";
import { connectClient } from "./test/clients.ts";
import { createOwner, day, inDays } from "./test/owner.ts";

const { setup, owner, session, createKey: create, listKeys: listed, works, login } = await createOwner();
afterAll(() => setup.close());

const codeOf = async (name: Parameters<Setup["refusal"]>[0], input: object, as?: Caller) =>
  (await setup.refusal(name, input, as === undefined ? {} : { as })).code;

describe("making one", () => {
  test("shows the key once, and keeps of it only what tells it from others", async () => {
    const made = await create({ expiresAt: null });
    const { key = "", ...shown } = made;
    expect(key).toMatch(/^plk_[0-9A-Za-z]{39}$/);
    expect(shown).toMatchObject({
      name: "ci",
      scopes: ["artifacts:read"],
      workspaceId: null,
      start: key.slice(0, 8),
      lastFour: key.slice(-4),
      createdBy: { type: "user", id: owner.userId },
      expiresAt: null,
      lastUsedAt: null,
    });
    const { apiKeys } = await setup.call("apiKey.list", {}, { as: session });
    expect(apiKeys.find(({ apiKeyId }) => apiKeyId === made.apiKeyId)).toEqual(shown);
    const [stored] = await setup.db.run<{ row: string }>("SELECT c::text AS row FROM credential c WHERE name = 'ci'");
    expect(stored?.row).not.toContain(key);
    expect(await works(key)).toBe(true);
  });

  test("ends in ninety days unless asked otherwise, and a year ahead at most", async () => {
    const { expiresAt } = await create();
    expect(Math.abs(Date.parse(expiresAt ?? "") - (Date.now() + 90 * day))).toBeLessThan(day);
    const given = inDays(3);
    expect((await create({ expiresAt: given })).expiresAt).toBe(given);
    for (const wrong of [inDays(-1), inDays(366), "tomorrow", ""]) {
      const refusal = await setup.refusal(
        "apiKey.create",
        { name: "x", scopes: ["artifacts:read"], expiresAt: wrong },
        { as: session },
      );
      expect(refusal).toMatchObject({ code: "invalid_request", extra: { errors: [{ path: "expiresAt" }] } });
    }
  });

  test("is for a workspace one belongs to; any other is not there", async () => {
    const team = await setup.team({ [owner.userId]: "viewer" });
    const other = await setup.team({});
    expect(await create({ workspaceId: team.workspaceId })).toMatchObject({ workspaceId: team.workspaceId });
    for (const workspaceId of [other.workspaceId, `wsp_${"0".repeat(26)}`, "nonsense"])
      expect(await codeOf("apiKey.create", { name: "x", scopes: ["artifacts:read"], workspaceId }, session)).toBe(
        "not_found",
      );
  });

  test("is never done with a key, an agent or an OAuth token, nor are keys listed, ended or rotated with one", async () => {
    const agent = await setup.call("agent.create", { name: "a", scopes: [...scopes] }, { as: owner.token });
    const { caller } = await connectClient(setup, owner.userId);
    const { apiKeyId } = await create();
    for (const as of [owner.token, agent.token ?? "", caller]) {
      expect(await codeOf("apiKey.create", { name: "x", scopes: ["artifacts:read"] }, as)).toBe("forbidden");
      expect(await codeOf("apiKey.list", {}, as)).toBe("forbidden");
      expect(await codeOf("apiKey.revoke", { apiKeyId }, as)).toBe("forbidden");
      expect(await codeOf("apiKey.rotate", { apiKeyId }, as)).toBe("forbidden");
    }
    expect(await codeOf("apiKey.list", {})).toBe("unauthenticated");
    expect(await listed()).toContain(apiKeyId);
  });

  test("with a login it has at most that one's scopes and expiry, and ends with it", async () => {
    const made = await login(["artifacts:read", "agents:manage"]);
    const as = made.token ?? "";
    const refusal = await setup.refusal(
      "apiKey.create",
      { name: "x", scopes: ["artifacts:read", "artifacts:delete"] },
      { as },
    );
    expect(refusal).toMatchObject({ code: "insufficient_scope", extra: { requiredScope: "artifacts:delete" } });
    for (const expiresAt of [null, inDays(91)]) {
      const late = await setup.refusal("apiKey.create", { name: "x", scopes: ["artifacts:read"], expiresAt }, { as });
      expect(late).toMatchObject({ code: "invalid_request", extra: { errors: [{ path: "expiresAt" }] } });
    }
    const key = await create({}, as);
    expect(Date.parse(key.expiresAt ?? "")).toBeLessThanOrEqual(Date.parse(made.expiresAt ?? ""));
    expect(await works(key.key)).toBe(true);
    await setup.call("agent.revoke", { agentId: made.agentId }, { as: session });
    expect(await works(key.key)).toBe(false);
    const reader = await login(["artifacts:read"]);
    expect(await codeOf("apiKey.create", { name: "x", scopes: ["artifacts:read"] }, reader.token ?? "")).toBe(
      "insufficient_scope",
    );
  });
});

describe("the list", () => {
  test("has one's own and those held to the workspaces one administers, no others", async () => {
    const [admin, member] = await Promise.all([setup.person(), setup.person()]);
    const team = await setup.team({ [admin.userId]: "admin", [member.userId]: "member" });
    const [asAdmin, asMember] = [await setup.session(admin.userId), await setup.session(member.userId)];
    const held = await create({ workspaceId: team.workspaceId }, asMember);
    const personal = await create({}, asMember);
    const theirs = await create({ workspaceId: team.workspaceId }, asAdmin);
    expect(await listed(asAdmin)).toEqual(expect.arrayContaining([held.apiKeyId, theirs.apiKeyId]));
    expect(await listed(asAdmin)).not.toContain(personal.apiKeyId);
    expect(await listed(asMember)).toEqual(expect.arrayContaining([held.apiKeyId, personal.apiKeyId]));
    expect(await listed(asMember)).not.toContain(theirs.apiKeyId);

    for (const apiKeyId of [personal.apiKeyId, `key_${"0".repeat(26)}`, "key_x", held.apiKeyId.replace("key_", "agt_")])
      expect(await codeOf("apiKey.revoke", { apiKeyId }, asAdmin)).toBe("not_found");
    expect(await codeOf("apiKey.revoke", { apiKeyId: theirs.apiKeyId }, asMember)).toBe("not_found");
    expect(await codeOf("apiKey.rotate", { apiKeyId: theirs.apiKeyId }, asMember)).toBe("not_found");
    expect(await codeOf("apiKey.rotate", { apiKeyId: held.apiKeyId }, asAdmin)).toBe("forbidden");
    await setup.call("apiKey.revoke", { apiKeyId: held.apiKeyId }, { as: asAdmin });
    expect(await works(held.key)).toBe(false);
    expect(await codeOf("apiKey.revoke", { apiKeyId: held.apiKeyId }, asAdmin)).toBe("not_found");
    expect(await listed(asMember)).not.toContain(held.apiKeyId);
  });

  test("keeps what has expired, newest first, in pages", async () => {
    const person = await setup.person();
    const as = await setup.session(person.userId);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await create({}, as)).apiKeyId);
    await setup.db.run("UPDATE credential SET expires_at = now() WHERE user_id = $1", [uuidOf("usr", person.userId)]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { apiKeys: { apiKeyId: string }[]; nextCursor: string | null } = await setup.call(
        "apiKey.list",
        { limit: 2, ...(cursor === null ? {} : { cursor }) },
        { as },
      );
      seen.push(...page.apiKeys.map(({ apiKeyId }) => apiKeyId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.slice(0, 5)).toEqual(made);
    expect(seen).toHaveLength(6);
    expect(await codeOf("apiKey.list", { cursor: "x" }, as)).toBe("invalid_request");
  });
});

test("a hash of another kind of token finds nothing", async () => {
  const { key = "" } = await create();
  expect(await works(key)).toBe(true);
  expect(await codeOf("profile.get", {}, { kind: "oauth", hash: tokenHash(key) })).toBe("unauthenticated");
  expect(await codeOf("profile.get", {}, { kind: "session", token: tokenHash(key) })).toBe("unauthenticated");
});
