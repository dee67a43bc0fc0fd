// A refresh token that is used again: within a minute of its retirement it still gives a pair, because the windows of one
// client share it; later it ends its family.
import { afterAll, describe, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { connect } from "@plinth/db/connection";
import { createInstance } from "@plinth/domain/instance";
import { emptyQueue } from "@plinth/domain/test/context";
import { tokenHash } from "@plinth/domain/tokens/token";

import {
  createOAuthService,
  openBrowser,
  refusal,
  registerClient,
  type RegisteredClient,
} from "./test/oauth-clients.ts";

const { service, browser, status, agents, token } = await createOAuthService();
const { db, instance } = service.setup;
/** Another process of the same instance. */
const otherDb = connect({ url: db.url });
const otherProcess = service.askOf(createInstance({ config: instance.config, db: otherDb, queue: emptyQueue }));
afterAll(async () => {
  await otherDb.close();
  await service.close();
});

/** Moves the retirement of a refresh token into the past. */
const age = (refreshToken: string | undefined, seconds: number) =>
  db.run(
    `UPDATE oauth_refresh_token SET revoked = revoked - make_interval(secs => $2),
       rotated_at = rotated_at - make_interval(secs => $2) WHERE token = $1`,
    [tokenHash(refreshToken ?? ""), seconds],
  );

const reuses = (own: RegisteredClient) =>
  db.run<{ target_id: string; actor: object; surface: string; before: object; after: object }>(
    `SELECT target_id, actor, surface, before, after FROM audit_event
     WHERE kind = 'agent.reuse_detected' AND before->>'client' = $1`,
    [own.client.client_id],
  );

const rowsOf = async (own: RegisteredClient) => {
  const [rows] = await db.run<{ live: number; retired: number }>(
    `SELECT count(*) FILTER (WHERE revoked IS NULL)::int AS live, count(revoked)::int AS retired
     FROM oauth_refresh_token WHERE client_id = $1`,
    [own.client.client_id],
  );
  return rows;
};

/** A client with a refresh token that was used once. */
async function retired(metadata: Parameters<typeof registerClient>[1] = {}, changed: Record<string, string> = {}) {
  const own = await registerClient(service, metadata);
  const first = await own.connect(browser, changed);
  const second = await own.refresh(first.refresh_token ?? "");
  return { own, first, second, used: first.refresh_token ?? "" };
}

describe("a refresh token that was used less than a minute ago", () => {
  test("gives another pair of the same scopes, and both windows go on", async () => {
    const { own, first, second, used } = await retired({}, { scope: "artifacts:read artifacts:create" });
    const again = await own.refresh(used);
    expect(again.scope).toBe(first.scope ?? "none");
    expect(again.refresh_token).toStartWith("plr_");
    for (const tokens of [first, second, again]) expect(await status(tokens.access_token)).toBe(200);
    for (const window of [second, again]) {
      // Long after the minute, since each window has its own token.
      const next = await own.refresh(window.refresh_token ?? "");
      await age(window.refresh_token, 3600);
      expect(await status((await own.refresh(next.refresh_token ?? "")).access_token)).toBe(200);
    }
    expect(await reuses(own)).toEqual([]);
  });

  test.each([2, 20])(
    "by %d windows at once, in two processes: each gets its own pair, which goes on",
    async (windows) => {
      const own = await registerClient(service);
      const { refresh_token: shared = "" } = await own.connect(browser);
      const use = async (refreshToken: string, at: number) => {
        const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: own.client.client_id };
        const ask = at % 2 === 0 ? service.ask : otherProcess;
        const response = await ask("POST", "/api/auth/oauth2/token", {
          body: new URLSearchParams(form).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        });
        const { access_token = "", refresh_token = "" } = (await response.json()) as Record<string, string>;
        return { status: response.status, access_token, refresh_token };
      };
      const each = <Result>(work: (at: number) => Promise<Result>) =>
        Promise.all(Array.from({ length: windows }, (_, at) => work(at)));
      let tokens = await each((at) => use(shared, at));
      for (let round = 0; round < 3; round++) {
        expect(tokens.map((answer) => answer.status)).toEqual(Array.from({ length: windows }, () => 200));
        expect(new Set(tokens.map((answer) => answer.refresh_token)).size).toBe(windows);
        expect(new Set(await each((at) => status(tokens[at]?.access_token ?? "")))).toEqual(new Set([200]));
        const held = tokens;
        await age(shared, 3600);
        tokens = await each((at) => use(held[at]?.refresh_token ?? "", at));
      }
      expect(await rowsOf(own)).toEqual({ live: windows, retired: 1 + 3 * windows });
      expect(await reuses(own)).toEqual([]);
    },
  );

  test("is answered until its first retirement is a minute ago, however often it is used", async () => {
    const { own, used } = await retired();
    await age(used, 50);
    expect(await status((await own.refresh(used)).access_token)).toBe(200);
    await age(used, 5);
    expect(await status((await own.refresh(used)).access_token)).toBe(200);
    await age(used, 10);
    expect(await refusal(own.refresh(used))).toBe("invalid_grant");
    expect(await rowsOf(own)).toEqual({ live: 0, retired: 0 });
  });

  test("keeps a hundred refresh tokens of its family in use, the newest ones", async () => {
    const { own, second, used } = await retired();
    await db.run(
      `INSERT INTO oauth_refresh_token (id, token, client_id, user_id, scopes, authorization_code_id, expires_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'copy-' || n || client_id, client_id, user_id,
         scopes, authorization_code_id, expires_at
       FROM oauth_refresh_token, generate_series(1, 120) n WHERE token = $1`,
      [tokenHash(second.refresh_token ?? "")],
    );
    const again = await own.refresh(used);
    expect(await rowsOf(own)).toEqual({ live: 100, retired: 1 });
    for (const window of [second, again])
      expect(await status((await own.refresh(window.refresh_token ?? "")).access_token)).toBe(200);
  });

  test("is refused to another client, and without the secret; its own client gets its pair afterwards", async () => {
    const redirect = "https://client.example/callback";
    const { own, used, second } = await retired(
      { redirect_uris: [redirect], token_endpoint_auth_method: "client_secret_basic" },
      { redirect_uri: redirect },
    );
    const other = await registerClient(service);
    expect(await refusal(other.refresh(used))).toBe("invalid_grant");
    const without = { grant_type: "refresh_token", refresh_token: used, client_id: own.client.client_id };
    expect((await token(without)).body["error"]).toBe("invalid_client");
    expect(await status(second.access_token)).toBe(200);
    expect(await status((await own.refresh(used)).access_token)).toBe(200);
    expect(await reuses(own)).toEqual([]);
  });

  test("gives no scope that it did not have", async () => {
    const { own, used } = await retired();
    expect(await refusal(own.refresh(used, { scope: "artifacts:delete" }))).toBe("invalid_scope");
    expect((await own.refresh(used, { scope: "artifacts:read" })).scope).toBe("artifacts:read offline_access");
  });

  test("is refused after the connection was revoked", async () => {
    const { own, used } = await retired({ client_name: "Revoked in the grace" });
    const connection = (await agents()).find(({ name }) => name === "Revoked in the grace");
    await service.ask("DELETE", `/api/agents/${connection?.agentId}`, { headers: browser.headers });
    expect(await refusal(own.refresh(used))).toBe("invalid_grant");
    await own.connect(browser);
    expect(await refusal(own.refresh(used))).toBe("invalid_grant");
    expect(await rowsOf(own)).toEqual({ live: 1, retired: 0 });
  });

  test("is refused after the client revoked the token that came of it, with the tokens of other windows", async () => {
    const { own, second, used } = await retired();
    const again = await own.refresh(used);
    await own.revoke(second.refresh_token ?? "");
    for (const old of [used, second.refresh_token, again.refresh_token])
      expect(await refusal(own.refresh(old ?? ""))).toBe("invalid_grant");
    for (const tokens of [second, again]) expect(await status(tokens.access_token)).toBe(401);
    expect(await reuses(own)).toEqual([]);
  });

  test("is refused after its person was deleted, and after its own time", async () => {
    const person = await service.setup.person();
    const own = await registerClient(service);
    const theirs = await own.connect(await openBrowser(service, person));
    await own.refresh(theirs.refresh_token ?? "");
    const { userId, workspaceId } = person;
    await db.run("DELETE FROM workspace WHERE workspace_id = $1", [uuidOf("wsp", workspaceId)]);
    await db.run('DELETE FROM "user" WHERE user_id = $1', [uuidOf("usr", userId)]);
    expect(await refusal(own.refresh(theirs.refresh_token ?? ""))).toBe("invalid_grant");

    const late = await retired();
    await db.run("UPDATE oauth_refresh_token SET expires_at = now() WHERE token = $1", [tokenHash(late.used)]);
    expect(await refusal(late.own.refresh(late.used))).toBe("invalid_grant");
    expect(await status(late.second.access_token)).toBe(200);
  });
});

describe("a refresh token that was used more than a minute ago", () => {
  test("ends its family, which is audited once, and no other person's; the person can connect again", async () => {
    const { own, first, second, used } = await retired({ client_name: "Stolen" });
    const third = await own.refresh(second.refresh_token ?? "");
    const stranger = await openBrowser(service, await service.setup.person());
    const theirs = await own.connect(stranger);
    await age(used, 61);
    expect(await refusal(own.refresh(used))).toBe("invalid_grant");
    for (const tokens of [first, second, third]) expect(await status(tokens.access_token)).toBe(401);
    for (const old of [used, second.refresh_token, third.refresh_token])
      expect(await refusal(own.refresh(old ?? ""))).toBe("invalid_grant");
    const connection = (await agents()).find(({ name }) => name === "Stolen");
    const clientId = own.client.client_id;
    expect(await reuses(own)).toEqual([
      {
        target_id: connection?.agentId ?? "none",
        actor: { type: "system", id: "system", label: "Plinth" },
        surface: "api",
        before: { name: "Stolen", kind: "oauth", client: clientId },
        after: { reused: "refresh_token" },
      },
    ]);
    const path = `/api/workspaces/${browser.person.workspaceId}/audit-events?kind=agent.reuse_detected`;
    const { auditEvents } = (await (await service.ask("GET", path, { headers: browser.headers })).json()) as {
      auditEvents: { target: { id: string } }[];
    };
    expect(auditEvents.filter(({ target }) => target.id === connection?.agentId)).toHaveLength(1);
    expect(await status(theirs.access_token)).toBe(200);
    expect(await status((await own.refresh(theirs.refresh_token ?? "")).access_token)).toBe(200);
    expect(await status((await own.connect(browser)).access_token)).toBe(200);
  });

  test("ends nothing for another client, which learns nothing either", async () => {
    const { own, second, used } = await retired();
    const other = await registerClient(service);
    await age(used, 61);
    expect(await refusal(other.refresh(used))).toBe("invalid_grant");
    expect(await status(second.access_token)).toBe(200);
    expect(await reuses(own)).toEqual([]);
  });

  test("at once with another window's refresh: no token of the family stays", async () => {
    const { own, second, used } = await retired();
    await age(used, 61);
    const refresh = (refreshToken: string) =>
      token({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: own.client.client_id });
    await Promise.all([refresh(second.refresh_token ?? ""), refresh(used), refresh(second.refresh_token ?? "")]);
    expect(await rowsOf(own)).toEqual({ live: 0, retired: 0 });
    expect(await reuses(own)).toHaveLength(1);
  });
});
