// Credentials at the MCP endpoint: only a bearer token is accepted, and the responses to all others.
import { sourceOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { commandLineClient, deviceGrant, oauthPaths } from "@plinth/contract/oauth";
import { mintToken, tokenHash } from "@plinth/domain/tokens/token";
import { operatorToken } from "@plinth/domain/test/context";

import { askToken, openBrowser, registerClient } from "../test/oauth-clients.ts";
import { cookieOf } from "../test/service.ts";
import { createMcpService, problemOf, type ToolAnswer } from "./test/messages.ts";

const { service, mcp, owner: person } = await createMcpService();
const browser = await openBrowser(service, person);
afterAll(() => service.close());

const metadata = 'resource_metadata="http://plinth.test/.well-known/oauth-protected-resource/mcp"';
const usual =
  'scope="artifacts:read artifacts:create artifacts:update artifacts:share artifacts:access:read artifacts:access:write"';
const nobody = `Bearer realm="plinth", ${usual}, ${metadata}`;
const invalid = `Bearer realm="plinth", error="invalid_token", ${usual}, ${metadata}`;

const challengeOf = (response: Response) => [response.status, response.headers.get("www-authenticate")];
const whoami = (sent: Parameters<typeof mcp.send>[2]) =>
  mcp.send("tools/call", { name: "whoami", arguments: {} }, sent);

/** The response without its request-specific parts. */
async function said(response: Response): Promise<unknown> {
  const text = (await response.text()).replaceAll(/"id":\d+/g, '"id":0');
  return text.replaceAll(response.headers.get("x-request-id") ?? "?", "");
}

async function revokedKey(): Promise<string> {
  const key = await service.setup.key(person.userId);
  await service.setup.db.run("UPDATE credential SET revoked_at = now() WHERE hash = decode($1, 'hex')", [
    tokenHash(key),
  ]);
  return key;
}

async function expiredKey(): Promise<string> {
  const key = await service.setup.key(person.userId);
  await service.setup.db.run(
    "UPDATE credential SET expires_at = now() - interval '1 second' WHERE hash = decode($1, 'hex')",
    [tokenHash(key)],
  );
  return key;
}

/** An access token for the given resources; the row is written directly where the server would not issue one. */
async function accessToken(resources: readonly string[] | null): Promise<string> {
  const client = await registerClient(service);
  const scope = "artifacts:read artifacts:create";
  const { access_token: token } = await client.connect(browser, { scope, resource: "http://plinth.test/mcp" });
  await service.setup.db.run("UPDATE oauth_access_token SET resources = $2 WHERE token = $1", [
    tokenHash(token),
    resources,
  ]);
  return token;
}

describe("a caller without a bearer", () => {
  test("gets a challenge that names no error, for any message and any body", async () => {
    const messages: readonly [string, Record<string, unknown>][] = [
      ["initialize", {}],
      ["server/discover", {}],
      ["tools/list", {}],
      ["tools/call", { name: "whoami", arguments: {} }],
      ["resources/list", {}],
      ["nothing", {}],
    ];
    for (const [method, params] of messages) expect(challengeOf(await mcp.send(method, params))).toEqual([401, nobody]);
    for (const body of ["", "{", "[]", "[[[["])
      expect(challengeOf(await service.ask("POST", "/mcp", { body }))).toEqual([401, nobody]);
  });

  test("is not authenticated by a session cookie, from any page", async () => {
    const session = await service.setup.session(person.userId);
    const cookie = cookieOf(session, service.setup.instance.config);
    // The cookie is valid.
    expect((await service.ask("GET", "/api/profile/me", { headers: { cookie } })).status).toBe(200);
    const from = [{}, { origin: "http://plinth.test" }, { "sec-fetch-site": "same-origin" }];
    for (const headers of from)
      expect(challengeOf(await whoami({ headers: { cookie, ...headers } }))).toEqual([401, nobody]);
  });

  test("a cookie adds nothing to a bad bearer", async () => {
    const cookie = cookieOf(await service.setup.session(person.userId), service.setup.instance.config);
    const headers = { cookie, origin: "http://plinth.test", authorization: "Bearer nonsense" };
    expect(challengeOf(await whoami({ headers }))).toEqual([401, invalid]);
  });
});

describe("a credential that is no good", () => {
  test("is said to be invalid, and no more", async () => {
    const authorizations = [
      "Bearer",
      "Bearer ",
      "Bearer nonsense",
      "Bearer a b",
      "Basic dXNlcjpwYXNz",
      person.token,
      `Bearer ${operatorToken}`,
      `Bearer ${mintToken("operator")}`,
      `Bearer ${person.token.slice(0, -1)}${person.token.endsWith("x") ? "y" : "x"}`,
      `Bearer ${browser.sessionToken}`,
    ];
    for (const authorization of authorizations) {
      const answer = await whoami({ headers: { authorization } });
      expect(challengeOf(answer)).toEqual([401, invalid]);
      const token = authorization.split(" ")[1] ?? authorization;
      if (token.length > 1 && token !== "Bearer") expect(await answer.text()).not.toContain(token);
    }
  });

  test("unknown, revoked, and for another instance: the answers are the same", async () => {
    const bad = {
      key: mintToken("apiKey"),
      agent: mintToken("agent"),
      access: mintToken("access"),
      revoked: await revokedKey(),
      elsewhere: await accessToken(["https://elsewhere.example/mcp"]),
      ofRest: await accessToken(["http://plinth.test"]),
    };
    for (const ask of [
      (as: string) => whoami({ as, id: 5 }),
      (as: string) => mcp.send("tools/list", {}, { as, id: 5 }),
      (as: string) => mcp.send("tools/call", { name: "nothing", arguments: {} }, { as, id: 5, revision: "2025-06-18" }),
    ]) {
      const answers = await Promise.all(Object.values(bad).map(ask));
      expect(answers.map(challengeOf)).toEqual(answers.map(() => [401, expect.stringContaining('"invalid_token"')]));
      expect(new Set(answers.map((answer) => answer.headers.get("www-authenticate"))).size).toBe(1);
      expect(new Set(await Promise.all(answers.map(said))).size).toBe(1);
    }
  });

  test("an expired one is said to have expired", async () => {
    const answer = await whoami({ as: await expiredKey() });
    expect(challengeOf(answer)).toEqual([401, invalid]);
    const { result } = (await answer.json()) as { result: ToolAnswer };
    expect(problemOf(result)).toMatchObject({ code: "token_expired", status: 401 });
  });

  test("one in the address counts for nothing", async () => {
    const answer = await service.ask("POST", `/mcp?access_token=${person.token}`, { body: { jsonrpc: "2.0" } });
    expect(challengeOf(answer)).toEqual([401, nobody]);
  });

  test("one that is revoked is refused from the next request on", async () => {
    const key = await service.setup.key(person.userId);
    expect((await whoami({ as: key })).status).toBe(200);
    await service.setup.db.run("UPDATE credential SET revoked_at = now() WHERE hash = decode($1, 'hex')", [
      tokenHash(key),
    ]);
    expect((await whoami({ as: key })).status).toBe(401);
  });
});

describe("a valid credential", () => {
  const isSomebody = async (as: string, kind: string) =>
    expect(textOf(await mcp.call("whoami", {}, { as }))).toMatch(
      new RegExp(`: you act for ${person.username} \\(.*\\) by the ${kind} "`),
    );

  test("an API key", () => isSomebody(person.token, "api key"));

  test("an agent's token", async () => {
    const agent = await browser.post("/api/agents", { name: "Helper", scopes: ["artifacts:read"] });
    await isSomebody(((await agent.json()) as { token: string }).token, "agent");
  });

  test("a login's token", async () => {
    const form = new URLSearchParams({ client_id: commandLineClient.clientId, scope: "artifacts:read" });
    const started = await service.ask("POST", oauthPaths.device, {
      body: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const device = (await started.json()) as { user_code: string; device_code: string };
    await browser.post("/api/auth/device/decide", { userCode: device.user_code, approve: true });
    const { body } = await askToken(service, {
      grant_type: deviceGrant,
      device_code: device.device_code,
      client_id: commandLineClient.clientId,
    });
    const login = await service.ask("POST", "/api/agents/login", {
      as: body["access_token"] ?? "",
      body: { name: "A host" },
    });
    await isSomebody(((await login.json()) as { token: string }).token, "agent");
  });

  test.each<[string, string[] | null, number[]]>([
    ["this endpoint", ["http://plinth.test/mcp"], [200, 401]],
    ["the REST API", ["http://plinth.test"], [401, 200]],
    ["the REST API, as some write it", ["http://plinth.test/"], [401, 200]],
    ["both", ["http://plinth.test/", "http://plinth.test/mcp"], [200, 200]],
    ["nothing in particular", null, [200, 200]],
  ])("an access token for %s is good there alone, whichever it is shown first", async (_, resources, statuses) => {
    const token = await accessToken(resources);
    const rest = async () => (await service.ask("GET", "/api/profile/me", { as: token })).status;
    for (let round = 0; round < 2; round++) {
      expect<number[]>([(await whoami({ as: token })).status, await rest()]).toEqual(statuses);
      const [endpoint, atRest] = statuses;
      expect([await rest(), (await whoami({ as: token })).status]).toEqual([atRest ?? 0, endpoint ?? 0]);
      // In one batch of the database.
      expect<number[]>(await Promise.all([whoami({ as: token }).then(({ status }) => status), rest()])).toEqual(
        statuses,
      );
    }
    if (statuses[0] === 200) await isSomebody(token, "agent");
  });

  test("the scheme is in any case", async () => {
    expect((await whoami({ headers: { authorization: `bEaReR   ${person.token}` } })).status).toBe(200);
  });

  test("a key held to a workspace acts there and nowhere else", async () => {
    const { slug, workspaceId } = await service.setup.team({ [person.userId]: "admin" });
    const held = await service.setup.key(person.userId, ["artifacts:read", "artifacts:create"], workspaceId);
    const fields = { slug: "notes", title: "Notes", icon: "n" };
    const inside = await mcp.call("create_project", { ...fields, ownerUsername: slug }, { as: held });
    expect(textOf(inside)).toContain(` and ownerUsername "${slug}".`);
    const outside = await mcp.call("create_project", { ...fields, ownerUsername: person.username }, { as: held });
    const rest = await service.ask("POST", "/api/projects", {
      as: held,
      body: { ...fields, ownerUsername: person.username },
    });
    const problem = (await rest.json()) as object;
    expect(rest.status).toBeGreaterThanOrEqual(403);
    const hint = "Check ownerUsername: leave it out for your own";
    const expected: object = { ...problem, hint, requestId: "" };
    expect<object>({ ...problemOf(outside), requestId: "" }).toEqual(expected);
  });
});

describe("a share link beside the bearer", () => {
  test("opens that one artifact, as in REST, and does not authenticate without the bearer", async () => {
    const owner = await service.setup.person();
    const project = await service.setup.project(owner.token);
    const access = { publicView: false, publicEdit: false };
    const { artifactId } = await service.setup.publish(owner.token, project.slug, { access, content: "# Shut\n" });
    const other = await service.setup.publish(owner.token, project.slug, { access });
    const link = await service.setup.call("shareLink.create", { artifactId, role: "viewer" }, { as: owner.token });
    const headers = { "x-share-token": link.token ?? "" };

    const read = (id: string, sent: object) => mcp.call("get_artifact_content", { artifactId: id }, sent);
    expect(problemOf(await read(artifactId, { as: person.token }))).toMatchObject({ code: "not_found" });
    expect(sourceOf(await read(artifactId, { as: person.token, headers }))).toBe("# Shut\n");
    expect(problemOf(await read(other.artifactId, { as: person.token, headers }))).toMatchObject({ code: "not_found" });
    await mcp.ask("resources/read", { uri: `artifact://${artifactId}/v/1` }, { as: person.token, headers });
    await service.setup.instance.shareUses.flush();
    const { auditEvents } = await service.setup.call("audit.list", { artifactId, limit: 1 }, { as: owner.token });
    expect(auditEvents).toMatchObject([
      { kind: "share_link.used", surface: "mcp", client: "test-client 1.0", after: { useCount: 2 } },
    ]);

    const written = await mcp.call("update_artifact", { artifactId, content: "x" }, { as: person.token, headers });
    const rest = await service.ask("POST", `/api/artifacts/${artifactId}/versions`, {
      as: person.token,
      headers,
      body: { content: "x" },
    });
    expect(problemOf(written)["code"]).toBe(((await rest.json()) as { code: string }).code);
    expect(
      challengeOf(await mcp.send("tools/call", { name: "get_artifact", arguments: { artifactId } }, { headers })),
    ).toEqual([401, nobody]);
  });
});
