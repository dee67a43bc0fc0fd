// Registering a client (RFC 7591), which needs no credential: accepted, ignored and refused metadata.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { deviceGrant, tokenExchange } from "@plinth/contract/oauth";

import { openBrowser, registerClient, statusOf } from "./test/oauth-clients.ts";
import { createService, type Service } from "./test/service.ts";

let service: Service;
beforeAll(async () => {
  service = await createService();
});
afterAll(() => service.close());

const path = "/api/auth/oauth2/register";
const local = { redirect_uris: ["http://127.0.0.1/callback"], token_endpoint_auth_method: "none" };
type Body = Record<string, unknown>;
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

async function register(body: unknown, headers: Record<string, string> = {}) {
  const response = await service.ask("POST", path, { body, headers });
  return { status: response.status, body: (await response.json()) as Body };
}

test("a client is known by an identifier of ours, and only what it needs is kept", async () => {
  const { status, body } = await register({
    ...local,
    client_name: "  A\u202e client\n\u0000".slice(0, -1),
    client_uri: "https://client.example/home",
    logo_uri: "https://client.example/logo.svg",
    tos_uri: "javascript:alert(1)",
    contacts: ["someone@client.example"],
    grant_types: ["authorization_code", "refresh_token"],
    scope: "artifacts:read",
    software_id: "software",
    jwks_uri: "https://client.example/jwks",
    skip_consent: true,
    require_pkce: false,
    client_id: "plinth-cli",
    unknown: { anything: 1 },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    client_name: "A client",
    client_uri: "https://client.example/home",
    redirect_uris: local.redirect_uris,
    token_endpoint_auth_method: "none",
    application_type: "native",
    software_id: "software",
  });
  expect(body["client_id"]).not.toBe("plinth-cli");
  expect(body["client_secret"]).toBeUndefined();
  const [row] = await service.setup.db.run<Body>("SELECT * FROM oauth_client WHERE client_id = $1", [
    body["client_id"],
  ]);
  for (const column of ["icon", "tos", "jwks_uri", "skip_consent", "require_pkce", "user_id"]) {
    expect({ column, value: row?.[column] ?? null }).toEqual({ column, value: null });
  }
});

test("a client that names no grant types gets refresh tokens, so that its person is not asked every ten minutes", async () => {
  const { grant_types: _, ...without } = { ...local, grant_types: null };
  const { body } = await register(without);
  expect(body["grant_types"]).toEqual(["authorization_code", "refresh_token"]);
});

const code = ["authorization_code"];
const both = ["authorization_code", "refresh_token"];
const [website, loopback] = ["https://client.example/callback", "http://127.0.0.1/callback"];
test.each([
  [
    "the registration of Claude",
    { redirect_uris: ["https://claude.ai/api/mcp/auth_callback"], grant_types: [...both, jwtBearer] },
    { redirect_uris: ["https://claude.ai/api/mcp/auth_callback"], grant_types: both, response_types: ["code"] },
  ],
  ["implicit", { grant_types: ["implicit", ...code], response_types: ["token", "code"] }, { grant_types: code }],
  ["the grant of agents", { grant_types: [tokenExchange.grant, ...both] }, { grant_types: both }],
  ["client credentials", { grant_types: ["client_credentials", ...code] }, { grant_types: code }],
  ["an unknown grant", { grant_types: ["x", "", ...code] }, { grant_types: code }],
  ["a grant twice", { grant_types: [...both, ...both] }, { grant_types: both }],
  [
    "every grant of the metadata",
    { grant_types: [...both, deviceGrant, tokenExchange.grant] },
    {
      grant_types: [...both, deviceGrant],
    },
  ],
  ["hybrid response types", { response_types: ["code id_token", "code", "none"] }, { response_types: ["code"] }],
  ["no response type", { response_types: [] }, { response_types: ["code"] }],
  [
    "devices, with a response type of browsers",
    { grant_types: [deviceGrant, "implicit"], response_types: ["token"], redirect_uris: undefined },
    { grant_types: [deviceGrant], response_types: [], redirect_uris: [] },
  ],
  [
    "devices, with code",
    { grant_types: [deviceGrant], response_types: ["code"], redirect_uris: ["http://client.example/"] },
    { grant_types: [deviceGrant], response_types: [], redirect_uris: [] },
  ],
  [
    "an app's scheme beside addresses",
    { redirect_uris: ["warp://mcp/oauth2callback", loopback, "raycast://oauth"] },
    { redirect_uris: [loopback], application_type: "native" },
  ],
  [
    "https on the person's own computer beside a website",
    { redirect_uris: ["https://localhost/callback", website] },
    { redirect_uris: [website], application_type: "web" },
  ],
  ["unknown scopes", { scope: "artifacts:read everything" }, { grant_types: both }],
  [
    "fields of other servers",
    { require_pushed_authorization_requests: true, "x-y": [{}], jwks: 1 },
    { grant_types: both },
  ],
] as const)("of %s what is served is kept, and answered", async (_, given, kept) => {
  const { status, body } = await register({ ...local, ...given });
  expect(status).toBe(201);
  expect({ ...body, redirect_uris: body["redirect_uris"] ?? [] }).toMatchObject(kept);
  const [row] = await service.setup.db.run<{ grant_types: string[]; redirect_uris: string[] }>(
    "SELECT grant_types, redirect_uris FROM oauth_client WHERE client_id = $1",
    [body["client_id"]],
  );
  expect(row).toEqual({
    grant_types: body["grant_types"] as string[],
    redirect_uris: (body["redirect_uris"] ?? []) as string[],
  });
});

test("each grant of the metadata but the one of agents can be registered", async () => {
  const metadata = (await (await service.ask("GET", "/.well-known/oauth-authorization-server")).json()) as Body;
  const registered = [];
  for (const grant of metadata["grant_types_supported"] as string[]) {
    const { body } = await register({ ...local, grant_types: [grant, "authorization_code"] });
    if ((body["grant_types"] as string[]).includes(grant)) registered.push(grant);
  }
  expect(registered).toEqual([...both, deviceGrant]);
});

test("a confidential client is shown its secret once, and only a sealed one is kept", async () => {
  const { body } = await register({ redirect_uris: ["https://client.example/callback"] });
  expect(body).toMatchObject({ token_endpoint_auth_method: "client_secret_basic", application_type: "web" });
  const secret = String(body["client_secret"]);
  const [row] = await service.setup.db.run<{ row: string }>(
    "SELECT c::text AS row FROM oauth_client c WHERE client_id = $1",
    [body["client_id"]],
  );
  expect(secret.length).toBeGreaterThan(20);
  expect(row?.row).not.toContain(secret);
});

test("what is not allowed is named, and nothing is registered", async () => {
  const before = await service.setup.db.run("SELECT 1 FROM oauth_client");
  for (const [body, error] of [
    [{}, "invalid_redirect_uri"],
    [{ ...local, redirect_uris: [] }, "invalid_redirect_uri"],
    [{ ...local, redirect_uris: "http://127.0.0.1/" }, "invalid_client_metadata"],
    [{ ...local, redirect_uris: [1] }, "invalid_client_metadata"],
    [
      { ...local, redirect_uris: Array.from({ length: 11 }, (_, at) => `http://127.0.0.1/${at}`) },
      "invalid_redirect_uri",
    ],
    [{ ...local, redirect_uris: ["http://client.example/", "warp://mcp/oauth2callback"] }, "invalid_redirect_uri"],
    [{ ...local, redirect_uris: ["https://localhost/"] }, "invalid_redirect_uri"],
    [{ ...local, redirect_uris: ["cursor://anysphere.cursor-deeplink/mcp/install"] }, "invalid_redirect_uri"],
    [{ ...local, redirect_uris: ["javascript://anysphere.cursor-mcp/%0aalert(1)"] }, "invalid_redirect_uri"],
    [{ ...local, redirect_uris: ["vscode://vscode.git/clone"] }, "invalid_redirect_uri"],
    [{ ...local, redirect_uris: ["http://plinth.test/login"] }, "invalid_redirect_uri"],
    [{ ...local, grant_types: [] }, "invalid_client_metadata"],
    [{ ...local, grant_types: ["implicit"] }, "invalid_client_metadata"],
    [{ ...local, grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    [{ ...local, grant_types: ["refresh_token"] }, "invalid_client_metadata"],
    [{ ...local, grant_types: ["refresh_token", "implicit"] }, "invalid_client_metadata"],
    [{ ...local, grant_types: [jwtBearer] }, "invalid_client_metadata"],
    [{ ...local, grant_types: [tokenExchange.grant] }, "invalid_client_metadata"],
    [{ ...local, grant_types: "authorization_code" }, "invalid_client_metadata"],
    [{ ...local, grant_types: [1] }, "invalid_client_metadata"],
    [{ ...local, response_types: ["token"] }, "invalid_client_metadata"],
    [{ ...local, response_types: ["code id_token", "id_token"] }, "invalid_client_metadata"],
    [{ ...local, response_types: "code" }, "invalid_client_metadata"],
    [{ ...local, token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
    [{ ...local, token_endpoint_auth_method: 1 }, "invalid_client_metadata"],
    [{ ...local, client_name: "x".repeat(2000) }, "invalid_client_metadata"],
    [{ ...local, client_name: "a\0b" }, "invalid_client_metadata"],
    [{ ...local, software_id: "a\ud800" }, "invalid_client_metadata"],
    [[], "invalid_client_metadata"],
    [null, "invalid_client_metadata"],
    ["{", "invalid_request"],
    [`{"redirect_uris": ["${"x".repeat(500_000)}"]}`, "invalid_request"],
  ] as const) {
    const answer = await register(body);
    expect({ body, got: [Math.floor(answer.status / 100), answer.body["error"]] }).toEqual({ body, got: [4, error] });
  }
  expect(await service.setup.db.run("SELECT 1 FROM oauth_client")).toEqual(before);
});

/** The registration of each client, as its vendor documents it or its source has it. */
const knownClients: Readonly<Record<string, readonly string[]>> = {
  Cursor: [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
  ],
  "Cursor, by its scheme alone": ["cursor://anysphere.cursor-mcp/oauth/callback"],
  "Visual Studio Code": [
    "https://insiders.vscode.dev/redirect",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
  ],
  Claude: ["https://claude.ai/api/mcp/auth_callback"],
  "Claude at its newer address": ["https://claude.com/api/mcp/auth_callback"],
  "Claude Code": ["http://localhost:54545/callback"],
  Codex: ["http://127.0.0.1:51234/callback"],
};

for (const [name, redirectUris] of Object.entries(knownClients))
  test(`${name} registers as it is, and is answered at each of its addresses`, async () => {
    const given = { client_name: name, redirect_uris: [...redirectUris], application_type: "web" };
    const client = await registerClient(service, {
      ...given,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    expect(client.client["redirect_uris"]).toEqual([...redirectUris]);
    for (const redirect_uri of redirectUris) {
      const browser = await openBrowser(service, await service.setup.person());
      const page = await browser.open((await client.request({ redirect_uri })).url);
      expect(page.pathname).toBe("/oauth/consent");
      const query = page.search.slice(1);
      const asked = await browser.post("/api/auth/oauth2/consent/describe", { query });
      expect([asked.status, await asked.json()]).toMatchObject([200, { redirect: { host: shownFor(redirect_uri) } }]);
      const tokens = await client.connect(browser, { redirect_uri });
      expect(await statusOf(service, tokens.access_token)).toBe(200);
    }
  });

const shownFor = (uri: string): string => (/^https?:/.test(uri) ? new URL(uri).host : "cursor://anysphere.cursor-mcp");

test("a client is answered by no scheme but the one it registered, letter for letter", async () => {
  const redirect = "cursor://anysphere.cursor-mcp/oauth/callback";
  const client = await registerClient(service, { redirect_uris: [redirect] });
  const browser = await openBrowser(service, await service.setup.person());
  for (const changed of [
    `${redirect}/`,
    `${redirect}?x`,
    redirect.replace("callback", "%63allback"),
    "http://127.0.0.1/",
  ]) {
    const { url } = await client.request({ redirect_uri: changed });
    expect([changed, (await browser.open(url)).searchParams.get("error")]).toEqual([changed, "invalid_redirect"]);
  }
});

test("names are never empty nor endless", async () => {
  const named = async (name?: unknown) => (await register({ ...local, client_name: name })).body["client_name"];
  expect(await named()).toBe("Unnamed client");
  expect(await named(" \u200b\u2028 ")).toBe("Unnamed client");
  expect(await named("n".repeat(500))).toBe("n".repeat(100));
});

test("no cookie and no bearer is read, and an address registers so many an hour", async () => {
  const person = await service.setup.person();
  const { status } = await register(local, { cookie: "plinth_session=x.y", authorization: `Bearer ${person.token}` });
  expect(status).toBe(201);
  const limited = await createService({ rateLimits: { reads: 1000, writes: 1000 } });
  try {
    const once = async () => (await limited.ask("POST", path, { body: local })).status;
    const statuses = [];
    for (let at = 0; at < 61; at++) statuses.push(await once());
    expect(statuses.filter((answer) => answer === 201).length).toBe(60);
    expect(statuses.at(-1)).toBe(429);
  } finally {
    await limited.close();
  }
});
