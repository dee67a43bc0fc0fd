// The authorization code grant through oauth4webapi: an accepted client, and its code.
import { afterAll, describe, expect, test } from "bun:test";

import { deviceGrant } from "@plinth/contract/oauth";
import { usualScopes } from "@plinth/contract/scopes";
import { tokenHash } from "@plinth/domain/tokens/token";

import { createOAuthService, refusal, registerClient } from "./test/oauth-clients.ts";
import { origin } from "./test/service.ts";

const { service, browser, client, status, agents, token } = await createOAuthService();
afterAll(() => service.close());

const events = (kind: string) =>
  service.setup.db.run<{ after: Record<string, unknown>; before: unknown; workspace_id: string | null }>(
    `SELECT after, before, workspace_id FROM audit_event WHERE kind = $1 AND actor->>'id' = $2 ORDER BY event_id`,
    [kind, browser.person.userId],
  );

describe("a client with the user's consent", () => {
  test("gets a token for the consented scopes that the API accepts, and is listed and audited as a connection", async () => {
    const own = await registerClient(service, { client_name: "Let in", client_uri: "https://client.example/home" });
    const asked = await own.request({ scope: "artifacts:read artifacts:create", resource: origin });
    const page = await browser.open(asked.url);
    expect(page.pathname).toBe("/oauth/consent");
    const described = await browser.post("/api/auth/oauth2/consent/describe", { query: page.search.slice(1) });
    expect(await described.json()).toMatchObject({
      client: { clientId: own.client.client_id, name: "Let in", uri: "https://client.example/home", own: false },
      redirect: { kind: "computer", host: "127.0.0.1:51000" },
      scopes: ["artifacts:read", "artifacts:create"],
      granted: [],
      lasting: true,
    });
    const answer = await browser.decide(page);
    expect(answer.searchParams.get("iss")).toBe(origin);
    const tokens = await own.exchange(answer, asked);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 600 });
    expect(tokens.access_token).toStartWith("plt_");
    expect(tokens.refresh_token).toStartWith("plr_");

    const me = await service.ask("GET", "/api/profile/me", { as: tokens.access_token });
    expect(await me.json()).toMatchObject({
      userId: browser.person.userId,
      credential: { type: "agent", scopes: ["artifacts:create", "artifacts:read"], label: "Let in" },
    });
    // The token lacks the scope.
    expect((await service.ask("GET", "/api/agents", { as: tokens.access_token })).status).toBe(403);
    expect((await agents())[0]).toMatchObject({
      name: "Let in",
      kind: "oauth",
      scopes: ["artifacts:read", "artifacts:create"],
    });
    expect((await events("agent.created")).at(-1)?.after).toMatchObject({
      name: "Let in",
      kind: "oauth",
      client: { id: own.client.client_id, uri: "https://client.example/home" },
    });
    const stored = await service.setup.db.run<{ row: string }>(
      `SELECT a::text AS row FROM oauth_access_token a UNION ALL SELECT r::text FROM oauth_refresh_token r
       UNION ALL SELECT v::text FROM verification v`,
    );
    const secrets = [tokens.access_token, tokens.refresh_token ?? "none", answer.searchParams.get("code") ?? "none"];
    for (const secret of secrets) expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test("widens its one connection when it comes back for more, and its older tokens stay what they were", async () => {
    const own = await registerClient(service, { client_name: "Wider" });
    const first = await own.connect(browser);
    const second = await own.connect(browser, { scope: "artifacts:read artifacts:share" });
    const held = (await agents()).filter(({ name }) => name === "Wider");
    expect(held).toMatchObject([{ scopes: ["artifacts:read", "artifacts:share"] }]);
    const scopes = async (of: string) =>
      ((await (await service.ask("GET", "/api/profile/me", { as: of })).json()) as { credential: { scopes: string[] } })
        .credential.scopes;
    expect(await scopes(first.access_token)).toEqual(["artifacts:read"]);
    expect((await scopes(second.access_token)).toSorted()).toEqual(["artifacts:read", "artifacts:share"]);
  });

  test("gets the least where it names no scope, and no refresh token unless it registered to use one", async () => {
    const own = await registerClient(service, { grant_types: ["authorization_code"] });
    const tokens = await own.connect(browser, { scope: null });
    const ofEndpoint = await own.connect(browser, { scope: null, resource: `${origin}/mcp` });
    expect(ofEndpoint.scope?.split(" ")).toEqual(expect.arrayContaining([...usualScopes]));
    expect(tokens.scope).toBe("artifacts:read");
    expect(tokens.refresh_token).toBeUndefined();
    const forced = await own.connect(browser, { scope: "artifacts:read offline_access" });
    expect(forced.refresh_token).toBeUndefined();
  });

  test("without refresh tokens is said to be for long all the same where it could make agents that are", async () => {
    const own = await registerClient(service, { grant_types: ["authorization_code"] });
    const lastsWith = async (scope: string): Promise<unknown> => {
      const page = await browser.open((await own.request({ scope })).url);
      const described = await browser.post("/api/auth/oauth2/consent/describe", { query: page.search.slice(1) });
      return ((await described.json()) as { lasting?: unknown }).lasting;
    };
    expect(await lastsWith("artifacts:read artifacts:create")).toBe(false);
    expect(await lastsWith("artifacts:read agents:manage")).toBe(true);
  });

  test("may keep a secret, and then needs it beside PKCE", async () => {
    const redirect = "https://client.example/callback";
    const own = await registerClient(service, {
      redirect_uris: [redirect],
      token_endpoint_auth_method: "client_secret_basic",
    });
    const asked = await own.request({ redirect_uri: redirect });
    const answer = await browser.allow(asked.url);
    const code = answer.searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: asked.verifier };
    const without = await token({ ...fields, client_id: own.client.client_id });
    expect([without.status, without.body["error"]]).toEqual([400, "invalid_client"]);
    // The failed attempt used up the code.
    const again = await own.request({ redirect_uri: redirect });
    const tokens = await own.exchange(await browser.allow(again.url), again, redirect);
    expect(await status(tokens.access_token)).toBe(200);
  });
});

describe("a code", () => {
  const code = async (own = client) => {
    const asked = await own.request();
    const answer = await browser.allow(asked.url);
    return { asked, answer, code: answer.searchParams.get("code") ?? "" };
  };
  const fields = (given: Awaited<ReturnType<typeof code>>) => ({
    grant_type: "authorization_code",
    code: given.code,
    redirect_uri: client.redirectUri,
    client_id: client.client.client_id,
    code_verifier: given.asked.verifier,
  });

  test("is good once; used again, it ends the tokens that were made of it", async () => {
    const given = await code();
    const tokens = await client.exchange(given.answer, given.asked);
    const rotated = await client.refresh(tokens.refresh_token ?? "");
    expect([await status(tokens.access_token), await status(rotated.access_token)]).toEqual([200, 200]);
    expect(await refusal(client.exchange(given.answer, given.asked))).toBe("invalid_grant");
    expect([await status(tokens.access_token), await status(rotated.access_token)]).toEqual([401, 401]);
    expect(await refusal(client.refresh(rotated.refresh_token ?? ""))).toBe("invalid_grant");
  });

  test("of fifty who use it at once serves one, whose tokens end, as for every use after the first", async () => {
    const given = await code();
    const answers = await Promise.all(Array.from({ length: 50 }, () => token(fields(given))));
    const served = answers.filter((answer) => answer.status === 200);
    expect(served).toHaveLength(1);
    expect(answers.filter((answer) => answer.body["error"] === "invalid_grant")).toHaveLength(49);
    expect(await status(served[0]?.body["access_token"] ?? "")).toBe(401);
  });

  test("that is used again is audited, once", async () => {
    const own = await registerClient(service, { client_name: "Used twice" });
    const given = await code(own);
    const form = { ...fields(given), client_id: own.client.client_id };
    for (const expected of [200, 400, 400]) expect((await token(form)).status).toBe(expected);
    const reused = await service.setup.db.run<{ before: object; after: object }>(
      "SELECT before, after FROM audit_event WHERE kind = 'agent.reuse_detected' AND before->>'name' = 'Used twice'",
    );
    const before = { name: "Used twice", kind: "oauth", client: own.client.client_id };
    expect([...reused]).toEqual([{ before, after: { reused: "authorization_code" } }]);
  });

  test("or a token of a client that is not registered: the client is told so, and the code is not used up", async () => {
    const given = await code();
    const grants = [
      fields(given),
      { grant_type: "refresh_token", refresh_token: "x" },
      { grant_type: deviceGrant, device_code: "x" },
    ];
    for (const grant of grants) {
      const answer = await token({ ...grant, client_id: "gone" });
      expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_client"]);
    }
    const authorization = `Basic ${btoa("gone:secret")}`;
    const { client_id: _client, ...without } = fields(given);
    const basic = await service.ask("POST", "/api/auth/oauth2/token", {
      body: new URLSearchParams(without).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", authorization },
    });
    expect([basic.status, basic.headers.get("www-authenticate")]).toEqual([401, "Basic"]);
    expect(await basic.json()).toMatchObject({ error: "invalid_client" });
    expect((await token(fields(given))).status).toBe(200);
  });

  test("needs the verifier, the redirect address and the client it was made for", async () => {
    const other = await registerClient(service);
    for (const [changed, error] of [
      [{ code_verifier: "v".repeat(43) }, "invalid_grant"],
      [{ redirect_uri: "http://127.0.0.1:51001/callback" }, "invalid_grant"],
      [{ client_id: other.client.client_id }, "invalid_grant"],
      [{ client_id: "nobody" }, "invalid_client"],
      [{ resource: "https://elsewhere.example/" }, "invalid_target"],
    ] as const) {
      const answer = await token({ ...fields(await code()), ...changed });
      expect({ changed, got: [answer.status, answer.body["error"]] }).toEqual({ changed, got: [400, error] });
    }
    const { code_verifier: _verifier, ...without } = fields(await code());
    expect((await token(without)).body["error"]).toBe("invalid_request");
  });

  test("is past its time after a minute, however long the page was open", async () => {
    const given = await code();
    const [row] = await service.setup.db.run<{ seconds: number }>(
      "SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM verification WHERE identifier = $1",
      [tokenHash(given.code)],
    );
    expect(row?.seconds).toBeLessThanOrEqual(60);
    await service.setup.db.run(
      "UPDATE verification SET expires_at = now() - interval '1 second' WHERE identifier = $1",
      [tokenHash(given.code)],
    );
    expect((await token(fields(given))).body["error"]).toBe("invalid_grant");
  });
});
