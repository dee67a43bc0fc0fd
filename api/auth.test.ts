// Signing in and out over HTTP without a provider: links, the session cookie, which requests are accepted, and which
// are refused. e2e/sign-in.test.ts tests sign-in through a provider.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { operatorToken } from "@plinth/domain/test/context";

import { createService, origin, type Service } from "./test/service.ts";

const github = { kind: "github", id: "github", name: "GitHub", clientId: "client", clientSecret: "secret" } as const;

let service: Service;
beforeAll(async () => {
  service = await createService({ identity: { providers: [github], ownerEmail: null } });
});
afterAll(() => service.close());

const fromPage = { origin };

async function newLink(of: Service = service) {
  const { userId, username } = await of.setup.person();
  const link = await of.setup.call("operator.createSignInLink", { userId }, { as: operatorToken });
  return { userId, username, url: link.url, token: new URL(link.url).hash.slice(1) };
}

const redeem = (token: unknown, headers: Record<string, string> = fromPage) =>
  service.ask("POST", "/api/auth/sign-in-link", { body: { token }, headers });
const describeLink = (token: string) => service.ask("POST", "/api/auth/sign-in-link/describe", { body: { token } });
const me = (cookie: string) => service.ask("GET", "/api/profile/me", { headers: { cookie } });

async function problem(response: Response) {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { requestId, ...rest } = (await response.json()) as Record<string, unknown>;
  expect(response.headers.get("x-request-id")).toBe(String(requestId));
  return rest;
}

/** A new person's session: the pair for the cookie header. */
async function signedIn(headers: Record<string, string> = fromPage) {
  const link = await newLink();
  const response = await redeem(link.token, headers);
  expect(response.status).toBe(204);
  return { ...link, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
}

const sessionsOf = (userId: string) =>
  service.setup.db.run<{ ip_address: string; user_agent: string }>(
    `SELECT ip_address, user_agent FROM session s JOIN audit_event e ON e.target_id = $1
     WHERE e.kind = 'user.created' AND s.user_id = (SELECT user_id FROM membership WHERE workspace_id = e.workspace_id)`,
    [userId],
  );

describe("a sign-in link", () => {
  test("says whose account it opens, and gives a session that the API takes", async () => {
    const { userId, username, token, url } = await newLink();
    expect(url).toBe(`${origin}/login#${token}`);
    expect(Buffer.from(token, "base64url")).toHaveLength(24);
    const described = (await (await describeLink(token)).json()) as { expiresAt: string };
    expect(described).toMatchObject({ username, email: `${username}@example.org` });
    expect(Date.parse(described.expiresAt) - Date.now()).toBeWithin(29 * 60_000, 30 * 60_000 + 1);

    const response = await redeem(token);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^plinth_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const profile = await me(cookies[0]?.split(";")[0] ?? "");
    expect(await profile.json()).toMatchObject({ userId, username, credential: { type: "session" } });
  });

  test("works once, however many come at once", async () => {
    const { userId, token } = await newLink();
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => redeem(token)))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
    expect(await sessionsOf(userId)).toHaveLength(1);
  });

  test("that is unknown, used or past its time is the same nothing", async () => {
    const used = await newLink();
    await redeem(used.token);
    const past = await newLink();
    await service.setup.db.run("UPDATE sign_in_link SET expires_at = now() WHERE used_at IS NULL");
    const answers = [];
    for (const token of ["unknown", used.token, past.token, `${past.token}x`]) {
      answers.push(await problem(await describeLink(token)), await problem(await redeem(token)));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, code: "not_found" });
  });

  test("is made for a user there is, by the operator, and written down without its token", async () => {
    const { userId, token } = await newLink();
    const events = await service.setup.db.run<{ actor: unknown; after: unknown }>(
      "SELECT actor, after FROM audit_event WHERE kind = 'user.sign_in_link_created' AND target_id = $1",
      [userId],
    );
    expect([...events]).toMatchObject([{ actor: { type: "operator" }, after: { expiresAt: expect.any(String) } }]);
    const stored = await service.setup.db.run("SELECT 1 FROM sign_in_link l WHERE l::text LIKE $1", [`%${token}%`]);
    expect([...stored]).toEqual([]);
    const nobody = { userId: `usr_${"0".repeat(26)}` };
    const refusal = await service.setup.refusal("operator.createSignInLink", nobody, { as: operatorToken });
    expect(refusal.code).toBe("not_found");
    const person = await service.setup.person();
    const asPerson = await service.setup.refusal("operator.createSignInLink", { userId }, { as: person.token });
    expect(asPerson.code).toBe("not_found");
  });
});

describe("a session", () => {
  test("remembers where it was made, as far as proxies are trusted", async () => {
    const { userId } = await signedIn({
      ...fromPage,
      "user-agent": "Browser/1",
      "x-plinth-address": "203.0.113.9",
      "x-forwarded-for": "203.0.113.8",
    });
    expect([...(await sessionsOf(userId))]).toEqual([{ ip_address: "192.0.2.1", user_agent: "Browser/1" }]);
  });

  test("is in a cookie that only its signature makes good", async () => {
    const { cookie } = await signedIn();
    expect((await me(cookie)).status).toBe(200);
    const [name, value = ""] = cookie.split("=");
    const [token = "", signature = ""] = decodeURIComponent(value).split(".");
    for (const forged of [token, `${token}.`, `${token}x.${signature}`, `${token}.${btoa("x".repeat(32))}`])
      expect((await me(`${name}=${encodeURIComponent(forged)}`)).status).toBe(401);
  });

  test("ends with signing out: the row and the cookie are deleted, and the next request is 401", async () => {
    const { userId, cookie } = await signedIn();
    const response = await service.ask("POST", "/api/auth/sign-out", { headers: { ...fromPage, cookie } });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    const cleared = response.headers.getSetCookie().filter((line) => line.startsWith("plinth_session="));
    expect(cleared).toEqual(["plinth_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"]);
    expect([...(await sessionsOf(userId))]).toEqual([]);
    expect((await me(cookie)).status).toBe(401);
    // Signing out again, or without a session, is not an error.
    for (const headers of [{ ...fromPage, cookie }, fromPage])
      expect((await service.ask("POST", "/api/auth/sign-out", { headers })).status).toBe(204);
  });

  test("replaces the browser's previous session, and deletes expired ones", async () => {
    const { userId, cookie } = await signedIn();
    const make = () => service.setup.call("operator.createSignInLink", { userId }, { as: operatorToken });
    const tokenOf = ({ url }: { url: string }) => new URL(url).hash.slice(1);
    expect((await redeem(tokenOf(await make()))).status).toBe(204);
    expect(await sessionsOf(userId)).toHaveLength(2);
    await service.setup.db.run("UPDATE session SET expires_at = now() WHERE token <> $1", [
      decodeURIComponent(cookie.split("=")[1] ?? "").split(".")[0],
    ]);
    expect((await redeem(tokenOf(await make()), { ...fromPage, cookie })).status).toBe(204);
    expect(await sessionsOf(userId)).toHaveLength(1);
    expect((await me(cookie)).status).toBe(401);
    // A cookie without a valid seal ends no session.
    const other = await signedIn();
    expect((await redeem(tokenOf(await make()), { ...fromPage, cookie: `${other.cookie}x` })).status).toBe(204);
    expect((await me(other.cookie)).status).toBe(200);
  });

  test("is tied to TLS where the instance is reached by it", async () => {
    const publicUrl = "https://plinth.test";
    const secure = await createService({ publicUrl });
    const { token } = await newLink(secure);
    const sent = { body: { token }, headers: { origin: publicUrl } };
    const response = await secure.ask("POST", "/api/auth/sign-in-link", sent);
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-plinth_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const pair = cookie.split(";")[0] ?? "";
    expect((await secure.ask("GET", "/api/profile/me", { headers: { cookie: pair } })).status).toBe(200);
    const plain = pair.replace("__Host-", "");
    expect((await secure.ask("GET", "/api/profile/me", { headers: { cookie: plain } })).status).toBe(401);
    await secure.close();
  });
});

describe("only the instance's own pages", () => {
  const bodies = {
    "/api/auth/sign-in-link": {},
    "/api/auth/sign-in/social": { provider: "github" },
    "/api/auth/sign-out": {},
  };

  test("sign anyone in or out, cookie or none", async () => {
    const { token } = await newLink();
    const { cookie } = await signedIn();
    for (const [path, body] of Object.entries({ ...bodies, "/api/auth/sign-in-link": { token } })) {
      for (const headers of [
        {},
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: `${origin}.evil.example` },
        { origin: origin.replace("http:", "https:") },
        { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { referer: `${origin}/login` },
      ]) {
        for (const more of [{}, { cookie }]) {
          const response = await service.ask("POST", path, { body, headers: { ...headers, ...more } });
          expect(await problem(response)).toMatchObject({ status: 403, code: "forbidden" });
          expect(response.headers.getSetCookie()).toEqual([]);
        }
      }
    }
    expect((await me(cookie)).status).toBe(200);
    expect((await redeem(token, { "sec-fetch-site": "same-origin" })).status).toBe(204);
  });
});

describe("a body", () => {
  test("that is not as it must be is a 400 that names the field", async () => {
    const wrong = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const sent = typeof body === "string" ? body : JSON.stringify(body);
      const response = await service.ask("POST", `/api/auth${path}`, {
        body: sent,
        headers: { ...fromPage, ...headers },
      });
      const { status, errors } = await problem(response);
      return [status, ...(errors as { path: string }[]).map((error) => error.path)];
    };
    expect(await wrong("/sign-in-link", {})).toEqual([400, "token"]);
    expect(await wrong("/sign-in-link", { token: 5, more: 1 })).toEqual([400, "token", "more"]);
    expect(await wrong("/sign-in-link", { token: "a\0b" })).toEqual([400, "token"]);
    expect(await wrong("/sign-in-link", { token: "\uD800" })).toEqual([400, "token"]);
    expect(await wrong("/sign-in-link", { token: "x".repeat(5000) })).toEqual([400, "token"]);
    expect(await wrong("/sign-in-link", ["token"])).toEqual([400, ""]);
    expect(await wrong("/sign-in-link", "no json")).toEqual([400, ""]);
    expect(await wrong("/sign-in-link", "token=x", { "content-type": "application/x-www-form-urlencoded" })).toEqual([
      400,
      "",
    ]);
    expect(await wrong("/sign-in/social", { provider: "nobody" })).toEqual([400, "provider"]);
    expect(await wrong("/sign-in/social", { provider: "__proto__" })).toEqual([400, "provider"]);
    for (const more of ["idToken", "scopes", "errorCallbackURL", "newUserCallbackURL", "additionalParams", "toString"])
      expect(await wrong("/sign-in/social", { provider: "github", [more]: "x" })).toEqual([400, more]);
    expect(await wrong("/sign-out", { callbackURL: "https://evil.example" })).toEqual([400, "callbackURL"]);
  });

  test("with a callback URL outside this origin is refused", async () => {
    for (const callbackURL of [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "/\t/evil.example",
      "/%0a/../\n//evil.example",
      "/.//evil.example",
      "/x/..//evil.example",
      "javascript:alert(1)",
      "evil.example",
      "dashboard",
      `${origin}/dashboard`,
      "@evil.example",
      "?x",
      `/${"x".repeat(9000)}`,
    ]) {
      const sent = { body: { provider: "github", callbackURL }, headers: fromPage };
      const { status, errors } = await problem(await service.ask("POST", "/api/auth/sign-in/social", sent));
      expect({ callbackURL, status, errors }).toMatchObject({ status: 400, errors: [{ path: "callbackURL" }] });
    }
  });
});

test("the way to GitHub carries a state and a challenge", async () => {
  const sent = { body: { provider: "github", callbackURL: "/x" }, headers: fromPage };
  const response = await service.ask("POST", "/api/auth/sign-in/social", sent);
  const { url } = (await response.json()) as { url: string };
  const { origin: site, pathname, searchParams } = new URL(url);
  expect(site + pathname).toBe("https://github.com/login/oauth/authorize");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: "client",
    redirect_uri: `${origin}/api/auth/callback/github`,
    scope: "read:user user:email",
    code_challenge_method: "S256",
  });
  expect(searchParams.get("state")).toHaveLength(32);
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^plinth\.state=[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
  );
});

test("the providers are told by what people call them, and by nothing else", async () => {
  const response = await service.ask("GET", "/api/auth/providers");
  expect(await response.json()).toEqual({ providers: [{ id: "github", name: "GitHub" }] });
});

test("nothing else of the library is there", async () => {
  const { cookie } = await signedIn();
  for (const [method, path] of [
    ["GET", "/get-session"],
    ["GET", "/list-sessions"],
    ["POST", "/sign-up/email"],
    ["POST", "/sign-in/email"],
    ["POST", "/link-social"],
    ["POST", "/update-user"],
    ["POST", "/delete-user"],
    ["POST", "/get-access-token"],
    ["GET", "/list-accounts"],
    ["GET", "/error"],
    ["GET", "/ok"],
    ["GET", "/"],
    ["POST", "/callback/github"],
    ["GET", "/callback/github/x"],
    ["GET", "/callback/"],
    ["GET", "/callback/github?code=%00&state=%00"],
    ["GET", "/sign-out"],
    ["GET", "/sign-in-link"],
    ["POST", "/sign-in-link/"],
    ["POST", "//sign-out"],
    ["POST", "/x/../sign-out/.."],
    ["DELETE", "/sign-out"],
  ] as const) {
    const response = await service.ask(method, `/api/auth${path}`, { headers: { ...fromPage, cookie } });
    expect({ path, ...(await problem(response)) }).toMatchObject({ path, status: 404, code: "not_found" });
  }
});

test("a provider that is none of ours leads back to the login page", async () => {
  for (const path of ["/callback/oidc?code=x&state=y", "/callback/github?error=access_denied", "/callback/github"]) {
    const response = await service.ask("GET", `/api/auth${path}`);
    expect([response.status, response.headers.get("location")]).toEqual([302, `${origin}/login?error=expired`]);
  }
});

test("tries are counted by address", async () => {
  const limited = await createService({ rateLimits: { reads: 0, writes: 3 } });
  const tries = [];
  for (let at = 0; at < 4; at++)
    tries.push(await limited.ask("POST", "/api/auth/sign-in-link", { body: { token: "guess" }, headers: fromPage }));
  expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
  expect(tries.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/);
  await limited.close();
});
