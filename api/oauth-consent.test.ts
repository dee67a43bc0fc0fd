// Consent: who is asked, when again, and that no other user can give it.
import { afterAll, describe, expect, test } from "bun:test";

import { commandLineClient } from "@plinth/contract/oauth";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { createOAuthService, openBrowser, refusal, registerClient } from "./test/oauth-clients.ts";
import { createService, origin } from "./test/service.ts";

const { service, browser, client, agents } = await createOAuthService();
afterAll(() => service.close());

describe("consent", () => {
  test("is asked each time for a public client on this computer, and remembered for one with a website", async () => {
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
    const other = await openBrowser(service, await service.setup.person());
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

test("a request that cannot be answered leads to a page that says why", async () => {
  const limited = await createService({ rateLimits: { reads: 2, writes: 2 } });
  const leadsTo = async (clientId: string) => {
    const { headers } = await limited.ask("GET", `/api/auth/oauth2/authorize?client_id=${clientId}`);
    return headers.get("location")?.replace(origin, "");
  };
  try {
    expect(await leadsTo("unknown")).toBe("/oauth/consent?error=invalid_client");
    expect(await leadsTo("%00")).toBe("/oauth/consent?error=invalid_request");
    expect(await leadsTo("unknown")).toBe("/oauth/consent?error=rate_limited");
  } finally {
    await limited.close();
  }
});

test("on a new instance, the command line is a known client, and a hundred consents at once are answered", async () => {
  const fresh = await createService();
  try {
    const person = await openBrowser(fresh, await fresh.setup.person());
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

test("consents to one client at once, each for other scopes, are all good, and so is the next", async () => {
  const person = await openBrowser(service, await service.setup.person());
  const local = await registerClient(service);
  const pages = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const scope = at % 2 === 0 ? "artifacts:read" : "artifacts:read artifacts:create";
      return person.open((await local.request({ scope })).url);
    }),
  );
  const answers = await Promise.all(pages.map((page) => person.decide(page)));
  expect(answers.filter((answer) => !answer.searchParams.has("code"))).toEqual([]);
  const kept = await service.setup.db.run("SELECT 1 FROM oauth_consent WHERE client_id = $1", [local.client.client_id]);
  expect(kept).toHaveLength(1);
  const wide = await local.connect(person, { scope: "artifacts:read artifacts:create artifacts:delete" });
  expect(wide.scope?.split(" ")).toContain("artifacts:delete");
});

test("a consent waits for another one to the same client and is good too", async () => {
  const person = await openBrowser(service, await service.setup.person());
  const { userId } = person.person;
  const local = await registerClient(service);
  const page = await person.open((await local.request()).url);
  await holdTransaction(service.setup.db.url, async (held) => {
    const clientId = local.client.client_id;
    await held.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`consent:${userId}:${clientId}`]);
    await held.run(
      "INSERT INTO oauth_consent (id, client_id, user_id, scopes) VALUES (gen_random_uuid(), $1, $2, '{artifacts:read}')",
      [clientId, uuidOf("usr", userId)],
    );
    const deciding = person.decide(page).then(
      (answer) => answer.searchParams.has("code"),
      (error: Error) => error.message,
    );
    await held.untilWaitedFor(deciding);
    await held.commit();
    expect(await deciding).toBe(true);
  });
});
