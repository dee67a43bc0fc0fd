// The authorization code grant as oauth4webapi does it, and all that must not work in it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { commandLineClient } from "@plinth/contract/oauth";
import { mintToken, tokenHash } from "@plinth/domain/credentials/token";

import { openBrowser, refusal, registerClient, type Browser, type RegisteredClient } from "./oauth-testing.ts";
import { createService, origin, type Service } from "./testing.ts";

let service: Service;
let browser: Browser;
let client: RegisteredClient;
beforeAll(async () => {
  service = await createService();
  browser = await openBrowser(service, await service.world.person());
  client = await registerClient(service);
});
afterAll(() => service.close());

const status = async (token: string) => (await service.ask("GET", "/api/profile/me", { as: token })).status;
const agents = async (of: Browser = browser) =>
  ((await (await service.ask("GET", "/api/agents", { headers: of.headers })).json()) as { agents: AgentRow[] }).agents;
interface AgentRow {
  agentId: string;
  name: string;
  kind: string;
  scopes: string[];
}
const events = (kind: string) =>
  service.world.db.run<{ after: Record<string, unknown>; before: unknown; workspace_id: string | null }>(
    `SELECT after, before, workspace_id FROM audit_event WHERE kind = $1 AND actor->>'id' = $2 ORDER BY event_id`,
    [kind, browser.person.userId],
  );

/** Posts to the token endpoint as it is. */
const token = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const response = await service.ask("POST", "/api/auth/oauth2/token", {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
};

describe("a client that is let in", () => {
  test("gets a token for what was consented, which the API takes, and is listed and audited as a connection", async () => {
    const own = await registerClient(service, { client_name: "Let in", client_uri: "https://client.example/home" });
    const asked = await own.request({ scope: "artifacts:read artifacts:create", resource: `${origin}/mcp` });
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
    // Without the scope of it.
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
    const stored = await service.world.db.run<{ row: string }>(
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
    expect(tokens.scope).toBe("artifacts:read");
    expect(tokens.refresh_token).toBeUndefined();
    const forced = await own.connect(browser, { scope: "artifacts:read offline_access" });
    expect(forced.refresh_token).toBeUndefined();
  });

  test("without refresh tokens is said to be for long all the same where it could make agents that are", async () => {
    const own = await registerClient(service, { grant_types: ["authorization_code"] });
    const lastsWith = async (scope: string): Promise<unknown> => {
      const page = await browser.open((await own.request({ scope })).url);
      const told = await browser.post("/api/auth/oauth2/consent/describe", { query: page.search.slice(1) });
      return ((await told.json()) as { lasting?: unknown }).lasting;
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
    // The code is spent with the attempt.
    const again = await own.request({ redirect_uri: redirect });
    const tokens = await own.exchange(await browser.allow(again.url), again, redirect);
    expect(await status(tokens.access_token)).toBe(200);
  });
});

describe("consent", () => {
  test("is asked anew of a public client on this computer, and remembered for one with a website", async () => {
    const local = await registerClient(service);
    await local.connect(browser);
    expect((await browser.open((await local.request()).url)).pathname).toBe("/oauth/consent");

    const redirect = "https://site.example/callback";
    const site = await registerClient(service, { redirect_uris: [redirect] });
    await site.connect(browser, { redirect_uri: redirect });
    expect((await browser.open((await site.request({ redirect_uri: redirect })).url)).host).toBe("site.example");
    const wider = await site.request({ redirect_uri: redirect, scope: "artifacts:read artifacts:delete" });
    expect((await browser.open(wider.url)).pathname).toBe("/oauth/consent");
    const elsewhere = await site.request({ redirect_uri: redirect, resource: `${origin}/mcp` });
    expect((await browser.open(elsewhere.url)).pathname).toBe("/oauth/consent");
    const other = await openBrowser(service, await service.world.person());
    expect((await other.open((await site.request({ redirect_uri: redirect })).url)).pathname).toBe("/oauth/consent");
  });

  test("refused sends the browser back without a code, and connects nothing", async () => {
    const own = await registerClient(service, { client_name: "Refused" });
    const asked = await own.request();
    const answer = await browser.decide(await browser.open(asked.url), false);
    expect(answer.searchParams.get("state")).toBe(asked.state);
    expect(answer.searchParams.has("code")).toBe(false);
    expect(await refusal(own.exchange(answer, asked))).toBe("access_denied");
    expect((await agents()).some(({ name }) => name === "Refused")).toBe(false);
  });

  test("is for the query that was signed, lately, by a person in a session, from this instance's own page", async () => {
    const asked = await client.request();
    const page = await browser.open(asked.url);
    const query = page.search.slice(1);
    const path = "/api/auth/oauth2/consent";
    const forged = query.replace("artifacts%3Aread", "artifacts%3Adelete");
    expect(forged).not.toBe(query);
    for (const wrong of [forged, query.replace(/sig=[^&]*/, "sig=AAAA"), "client_id=plinth-cli", "x"]) {
      for (const at of [path, `${path}/describe`]) {
        const body = at === path ? { query: wrong, accept: true } : { query: wrong };
        const answer = await browser.post(at, body);
        expect({ wrong, status: answer.status }).toEqual({ wrong, status: 400 });
      }
    }
    const body = { query, accept: true };
    expect((await service.ask("POST", path, { body })).status).toBe(401);
    expect((await service.ask("POST", path, { body, as: browser.person.token })).status).toBe(403);
    const { cookie } = browser.headers;
    for (const headers of [{ cookie }, { cookie, origin: "https://evil.example" }, { cookie, origin: "null" }]) {
      expect((await service.ask("POST", path, { body, headers })).status).toBe(403);
    }
    expect((await browser.decide(page)).searchParams.has("code")).toBe(true);
  });

  test("without a session leads to signing in and back to the same request", async () => {
    const asked = await client.request();
    const answer = await service.ask("GET", asked.url.pathname + asked.url.search);
    const to = new URL(answer.headers.get("location") ?? "");
    expect([answer.status, to.origin, to.pathname]).toEqual([302, origin, "/login"]);
    const next = new URL(to.searchParams.get("next") ?? "", origin);
    const pairs = ({ searchParams }: URL) => [...searchParams].map((pair) => pair.join("=")).toSorted();
    expect(pairs(next)).toEqual(pairs(asked.url));
    expect((await browser.open(next)).pathname).toBe("/oauth/consent");
  });
});

describe("an authorization request", () => {
  const locally = ["http://127.0.0.1:51000/callback", "http://127.0.0.1/callback", "http://127.0.0.1:1/callback"];
  test("may name any port of this computer, and nothing else but what was registered", async () => {
    for (const redirect of locally) {
      const asked = await client.request({ redirect_uri: redirect });
      expect((await browser.open(asked.url)).searchParams.get("redirect_uri")).toBe(redirect);
    }
    for (const redirect of [
      "http://127.0.0.1:51000/callback/",
      "http://127.0.0.1:51000/other",
      "http://127.0.0.1:51000/callback?more=1",
      "http://127.0.0.1:51000/callback#",
      "http://127.0.0.1:51000/Callback",
      "http://127.0.0.1:51000/x/../callback",
      "http://localhost:51000/callback",
      "http://127.0.0.2:51000/callback",
      "http://127.1:51000/callback",
      "http://2130706433:51000/callback",
      "https://127.0.0.1:51000/callback",
      "http://evil.example@127.0.0.1:51000/callback",
      "http://127.0.0.1:51000@evil.example/callback",
      "http://127.0.0.1.evil.example:51000/callback",
      "https://evil.example/callback",
      "//evil.example/callback",
      "javascript:alert(1)//127.0.0.1/callback",
      "data:text/html,x",
      "",
    ]) {
      const asked = await client.request({ redirect_uri: redirect });
      const page = await browser.open(asked.url);
      expect({ redirect, at: page.origin + page.pathname }).toEqual({ redirect, at: `${origin}/oauth/consent` });
      expect(["invalid_redirect", "invalid_request"]).toContain(page.searchParams.get("error") ?? "none");
    }
  });

  test("of a website names exactly the address that was registered", async () => {
    const redirect = "https://exact.example:8443/callback?tenant=1";
    const own = await registerClient(service, { redirect_uris: [redirect] });
    const open = async (uri: string) =>
      (await browser.open((await own.request({ redirect_uri: uri })).url)).searchParams;
    expect((await open(redirect)).get("redirect_uri")).toBe(redirect);
    for (const wrong of [
      "https://exact.example/callback?tenant=1",
      "https://exact.example:8444/callback?tenant=1",
      "http://exact.example:8443/callback?tenant=1",
      "https://exact.example:8443/callback",
      "https://exact.example:8443/callback?tenant=2",
      "https://EXACT.example:8443/callback?tenant=1",
      "https://sub.exact.example:8443/callback?tenant=1",
    ])
      expect({ wrong, error: (await open(wrong)).get("error") }).toEqual({
        wrong,
        // To the library an address without TLS is not even one.
        error: wrong.startsWith("http:") ? "invalid_request" : "invalid_redirect",
      });
  });

  test("needs PKCE with S256, a known scope and a resource of this instance", async () => {
    for (const [changed, error] of [
      [{ code_challenge: null, code_challenge_method: null }, "invalid_request"],
      [{ code_challenge: null }, "invalid_request"],
      [{ code_challenge_method: null }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: "s256" }, "invalid_request"],
      [{ scope: "artifacts:read admin" }, "invalid_scope"],
      [{ scope: "openid" }, "invalid_scope"],
      [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
      [{ resource: `${origin}/other` }, "invalid_target"],
      [{ resource: "mcp" }, "invalid_request"],
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
    ] as const) {
      const asked = await client.request(changed);
      const answer = await browser.open(asked.url);
      // What would have been answered in the fragment is refused there.
      const answered = new URLSearchParams(answer.hash === "" ? answer.search : answer.hash.slice(1));
      const said = [answer.host, answered.get("error"), answered.get("state")];
      expect({ changed, said }).toEqual({ changed, said: ["127.0.0.1:51000", error, asked.state] });
      expect(answered.get("iss")).toBe(origin);
    }
    for (const resource of [origin, `${origin}/`, `${origin}/mcp`]) {
      const tokens = await client.connect(browser, { resource });
      expect(await status(tokens.access_token)).toBe(200);
    }
  });

  test("that can't be answered at a client ends on our page", async () => {
    for (const [changed, error] of [
      [{ client_id: "nobody" }, "invalid_client"],
      [{ client_id: null }, "invalid_client"],
      [{ client_id: "a\0b" }, "invalid_request"],
      [{ state: "s".repeat(9000) }, "invalid_request"],
    ] as const) {
      const page = await browser.open((await client.request(changed)).url);
      expect([page.origin + page.pathname, page.searchParams.get("error")]).toEqual([`${origin}/oauth/consent`, error]);
    }
    const twice = (await client.request()).url;
    twice.searchParams.append("redirect_uri", "https://evil.example/");
    expect((await browser.open(twice)).searchParams.get("error")).toBe("invalid_request");
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

  test("of fifty who use it at once serves one at most", async () => {
    const given = await code();
    const answers = await Promise.all(Array.from({ length: 50 }, () => token(fields(given))));
    expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.every((answer) => answer.status === 200 || answer.body["error"] === "invalid_grant")).toBe(true);
  });

  test("needs the verifier, the redirect address and the client it was made for", async () => {
    const other = await registerClient(service);
    for (const [changed, error] of [
      [{ code_verifier: "v".repeat(43) }, "invalid_grant"],
      [{ redirect_uri: "http://127.0.0.1:51001/callback" }, "invalid_grant"],
      [{ client_id: other.client.client_id }, "invalid_grant"],
      [{ client_id: "nobody" }, "invalid_grant"],
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
    const [row] = await service.world.db.run<{ seconds: number }>(
      "SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM verification WHERE identifier = $1",
      [tokenHash(given.code)],
    );
    expect(row?.seconds).toBeLessThanOrEqual(60);
    await service.world.db.run(
      "UPDATE verification SET expires_at = now() - interval '1 second' WHERE identifier = $1",
      [tokenHash(given.code)],
    );
    expect((await token(fields(given))).body["error"]).toBe("invalid_grant");
  });
});

describe("a refresh token", () => {
  test("is rotated; the one before, used again, ends the whole family", async () => {
    const own = await registerClient(service);
    const first = await own.connect(browser);
    const second = await own.refresh(first.refresh_token ?? "");
    const third = await own.refresh(second.refresh_token ?? "");
    expect(await status(third.access_token)).toBe(200);
    expect(await refusal(own.refresh(first.refresh_token ?? ""))).toBe("invalid_grant");
    for (const tokens of [first, second, third]) expect(await status(tokens.access_token)).toBe(401);
    expect(await refusal(own.refresh(third.refresh_token ?? ""))).toBe("invalid_grant");
  });

  test("of thirty who use it at once serves one at most, and the person is not let down by a fault", async () => {
    const own = await registerClient(service);
    const { refresh_token = "" } = await own.connect(browser);
    const fields = { grant_type: "refresh_token", refresh_token, client_id: own.client.client_id };
    const answers = await Promise.all(Array.from({ length: 30 }, () => token(fields)));
    expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.every((answer) => answer.status === 200 || answer.body["error"] === "invalid_grant")).toBe(true);
    // Connecting again works, whatever was ended.
    expect(await status((await own.connect(browser)).access_token)).toBe(200);
  });

  test("is its client's alone, and widens nothing", async () => {
    const own = await registerClient(service);
    const tokens = await own.connect(browser, { scope: "artifacts:read artifacts:create" });
    expect(await refusal(client.refresh(tokens.refresh_token ?? ""))).toBe("invalid_grant");
    expect(await refusal(own.refresh(tokens.refresh_token ?? "", { scope: "artifacts:delete" }))).toBe("invalid_scope");
    expect(await refusal(own.refresh(tokens.refresh_token ?? "", { resource: "https://elsewhere.example/" }))).toBe(
      "invalid_target",
    );
    const narrower = await own.refresh(tokens.refresh_token ?? "", { scope: "artifacts:read" });
    const me = (await (await service.ask("GET", "/api/profile/me", { as: narrower.access_token })).json()) as {
      credential: { scopes: string[] };
    };
    expect(me.credential.scopes).toEqual(["artifacts:read"]);
    expect((await own.refresh(narrower.refresh_token ?? "")).refresh_token).toStartWith("plr_");
  });

  test("revoked by the client ends its access tokens too; what is unknown or another's changes nothing", async () => {
    const own = await registerClient(service);
    const tokens = await own.connect(browser);
    const rotated = await own.refresh(tokens.refresh_token ?? "");
    for (const strange of [mintToken("access"), mintToken("refresh"), "eyJhbGciOiJIUzI1NiJ9.e30.x", "x", "a\u00e9"])
      await own.revoke(strange);
    await client.revoke(rotated.refresh_token ?? "");
    await client.revoke(rotated.access_token);
    expect(await status(rotated.access_token)).toBe(200);
    await own.revoke(rotated.refresh_token ?? "");
    for (const { access_token } of [tokens, rotated]) expect(await status(access_token)).toBe(401);
    expect(await refusal(own.refresh(rotated.refresh_token ?? ""))).toBe("invalid_grant");

    const again = await own.connect(browser);
    await own.revoke(again.access_token);
    expect(await status(again.access_token)).toBe(401);
    expect(await status((await own.refresh(again.refresh_token ?? "")).access_token)).toBe(200);
  });
});

describe("an access token", () => {
  test("ends with its time, with its connection, and where it names another instance", async () => {
    const own = await registerClient(service, { client_name: "Ended" });
    const expired = await own.connect(browser);
    await service.world.db.run("UPDATE oauth_access_token SET expires_at = now() WHERE token = $1", [
      tokenHash(expired.access_token),
    ]);
    const late = await service.ask("GET", "/api/profile/me", { as: expired.access_token });
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([401, "token_expired"]);

    const foreign = await own.connect(browser);
    await service.world.db.run("UPDATE oauth_access_token SET resources = $2 WHERE token = $1", [
      tokenHash(foreign.access_token),
      '{"https://elsewhere.example/mcp"}',
    ]);
    expect(await status(foreign.access_token)).toBe(401);
  });

  test("of a connection that was revoked fails at the next request, for good, and consent is asked anew", async () => {
    const redirect = "https://revoked.example/callback";
    const own = await registerClient(service, { client_name: "Revoked", redirect_uris: [redirect] });
    const tokens = await own.connect(browser, { redirect_uri: redirect });
    const pending = await own.request({ redirect_uri: redirect });
    const pendingAnswer = await browser.allow(pending.url);
    expect(await status(tokens.access_token)).toBe(200);
    const connection = (await agents()).find(({ name }) => name === "Revoked");
    const revoked = await service.ask("DELETE", `/api/agents/${connection?.agentId}`, { headers: browser.headers });
    expect(revoked.status).toBe(204);
    expect(await status(tokens.access_token)).toBe(401);
    expect(await refusal(own.refresh(tokens.refresh_token ?? ""))).toBe("invalid_grant");
    // A code that was under way brings nothing to life.
    const late = await own.exchange(pendingAnswer, pending, redirect);
    expect(await status(late.access_token)).toBe(401);
    expect(await refusal(own.refresh(late.refresh_token ?? ""))).toBe("invalid_grant");
    expect((await browser.open((await own.request({ redirect_uri: redirect })).url)).pathname).toBe("/oauth/consent");

    const again = await own.connect(browser, { redirect_uri: redirect });
    expect(await status(again.access_token)).toBe(200);
    for (const old of [tokens, late]) {
      expect(await status(old.access_token)).toBe(401);
      expect(await refusal(own.refresh(old.refresh_token ?? ""))).toBe("invalid_grant");
    }
    expect(await status(again.access_token)).toBe(200);
  });

  test("is one of ours: neither a refresh token nor a session's token opens anything", async () => {
    const tokens = await client.connect(browser);
    for (const wrong of [tokens.refresh_token ?? "", browser.sessionToken, mintToken("access"), mintToken("refresh")])
      expect(await status(wrong)).toBe(401);
  });
});

test("on an instance that nobody has asked anything, the command line is known, and a hundred consents at once are answered", async () => {
  const fresh = await createService();
  try {
    const person = await openBrowser(fresh, await fresh.world.person());
    const own = new URLSearchParams({
      response_type: "code",
      client_id: commandLineClient.clientId,
      redirect_uri: "http://127.0.0.1:4711/callback",
      code_challenge: "A".repeat(43),
      code_challenge_method: "S256",
    });
    const page = await person.open(`${origin}/api/auth/oauth2/authorize?${own}`);
    expect([page.pathname, page.searchParams.get("error")]).toEqual(["/oauth/consent", null]);
    const query = page.search.slice(1);
    // Each of them holds a connection of the pool.
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        fresh.ask("POST", "/api/auth/oauth2/consent", {
          body: { query, accept: true },
          headers: { ...person.headers, "idempotency-key": `key-${at}` },
        }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  } finally {
    await fresh.close();
  }
});
