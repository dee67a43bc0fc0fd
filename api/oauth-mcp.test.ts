// The MCP project's own client with the endpoint and its authorization server: discovery, registration, PKCE, refresh,
// and asking for more scopes when a tool requires them, in both eras of the protocol.
import { textOf } from "@plinth/support/mcp-text";
import { afterAll, beforeAll, expect, test } from "bun:test";

import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import { usualScopes } from "@plinth/contract/scopes";
import { tokenHash } from "@plinth/domain/tokens/token";

import { fetchOf, openBrowser, type Browser } from "./test/oauth-clients.ts";
import { createService, type Service } from "./test/service.ts";

/** The client sends tokens over TLS only. */
const origin = "https://plinth.example";

let service: Service;
let browser: Browser;
beforeAll(async () => {
  service = await createService({ publicUrl: origin, contentOrigin: origin });
  browser = await openBrowser(service, await service.setup.person());
});
afterAll(() => service.close());

const redirectUrl = "http://127.0.0.1:33418/callback";

type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Information = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;

/** The storage of an MCP client, and the browser that it opens. */
function provider(of: Browser) {
  let tokens: Tokens;
  let information: Information;
  let verifier = "";
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;
  const kept = {
    /** The redirects of the person, and their results. */
    answers: [] as URL[],
    asked: [] as URL[],
    tokens: () => tokens,
    information: () => information,
  };
  const own: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: "An MCP client", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    state: () => "a state",
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    codeVerifier: () => verifier,
    saveCodeVerifier: (saved) => void (verifier = saved),
    saveDiscoveryState: (saved) => void (discovered = saved),
    discoveryState: () => discovered,
    redirectToAuthorization: async (url) => {
      kept.asked.push(url);
      kept.answers.push(await of.allow(url));
    },
  };
  return { own, kept };
}

const transportOf = (own: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: own, fetch: fetchOf(service) });

/** Runs the work, and again with the person's answer where the client had to ask. */
async function authorized<Value>(
  { own, kept }: ReturnType<typeof provider>,
  mode: "legacy" | "auto",
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  for (let round = 0; ; round++) {
    const before = kept.answers.length;
    const transport = transportOf(own);
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    try {
      await client.connect(transport);
      return await work(client);
    } catch (error) {
      const answer = kept.answers.at(-1);
      if (!(error instanceof UnauthorizedError) || kept.answers.length === before || answer === undefined || round > 3)
        throw error;
      await transport.finishAuth(answer.searchParams);
    } finally {
      await client.close();
    }
  }
}

const scopesOf = (url: URL | undefined) => url?.searchParams.get("scope")?.split(" ");

test.each([
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
] as const)(
  "a client of the %s era finds the server, registers, is let in, asks for more when it must, and refreshes",
  async (mode, revision) => {
    const { token, username } = browser.person;
    const project = await service.setup.project(token);
    const [{ artifactId }, another] = [
      await service.setup.publish(token, project.slug),
      await service.setup.publish(token, project.slug),
    ];
    const held = provider(browser);
    // The client only knows the URL of the MCP endpoint.
    const spoken = await authorized(held, mode, (client) => Promise.resolve(client.getNegotiatedProtocolVersion()));
    expect(spoken).toBe(revision);
    const [first] = held.kept.asked;
    expect(first?.origin + (first?.pathname ?? "")).toBe(`${origin}/api/auth/oauth2/authorize`);
    expect(first?.searchParams.get("code_challenge_method")).toBe("S256");
    expect(first?.searchParams.get("resource")).toBe(`${origin}/mcp`);
    expect(scopesOf(first)).toEqual([...usualScopes]);
    expect(held.kept.tokens()?.scope?.split(" ")).toEqual(expect.arrayContaining([...usualScopes]));
    const registered = held.kept.information()?.client_id;

    const whoami = await authorized(held, mode, (client) => client.callTool({ name: "whoami", arguments: {} }));
    expect(textOf(whoami)).toMatch(new RegExp(`: you act for ${username} \\(.*\\) by the agent "`));
    expect(held.kept.asked).toHaveLength(1);

    // The tool requires another scope: the person is asked again, for the same client.
    const asking = { name: "delete_artifact", arguments: { artifactId } };
    const deleted = await authorized(held, mode, (client) => client.callTool(asking));
    expect(deleted.isError).toBeUndefined();
    expect(held.kept.asked).toHaveLength(2);
    expect(scopesOf(held.kept.asked[1])).toContain("artifacts:delete");
    expect(held.kept.information()?.client_id).toBe(registered ?? "none");

    // The access token has expired; the person is not asked.
    const before = held.kept.tokens();
    await service.setup.db.run("UPDATE oauth_access_token SET expires_at = now() WHERE token = $1", [
      tokenHash(before?.access_token ?? ""),
    ]);
    const again = { ...asking, arguments: { artifactId: another.artifactId } };
    expect((await authorized(held, mode, (client) => client.callTool(again))).isError).toBeUndefined();
    expect(held.kept.tokens()?.access_token).not.toBe(before?.access_token ?? "");
    expect(held.kept.tokens()?.refresh_token).not.toBe(before?.refresh_token ?? "");
    expect(held.kept.asked).toHaveLength(2);
  },
);

test("the metadata says what is served, and is open to every origin", async () => {
  const said = async (path: string) => {
    const response = await service.ask("GET", path, { headers: { origin: "https://elsewhere.example" } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    return (await response.json()) as Record<string, unknown>;
  };
  const eight = 8;
  const server = await said("/.well-known/oauth-authorization-server");
  expect(server).toMatchObject({
    issuer: origin,
    code_challenge_methods_supported: ["S256"],
    response_types_supported: ["code"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  expect((server["scopes_supported"] as string[]).length).toBe(eight);
  for (const endpoint of [
    "token_endpoint",
    "registration_endpoint",
    "revocation_endpoint",
    "device_authorization_endpoint",
  ]) {
    const path = String(server[endpoint]).slice(origin.length);
    const headers = { origin: "https://elsewhere.example", "access-control-request-method": "POST" };
    const preflight = await service.ask("OPTIONS", path, { headers });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(preflight.headers.has("access-control-allow-credentials")).toBe(false);
    const refused = await service.ask("POST", path, { body: "{", headers: { "content-type": "text/plain" } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([400, "*"]);
    expect(await refused.json()).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
  }
  expect(await said("/.well-known/oauth-protected-resource")).toMatchObject({ resource: origin });
  expect(await said("/.well-known/oauth-protected-resource/mcp")).toMatchObject({
    resource: `${origin}/mcp`,
    authorization_servers: [origin],
    scopes_supported: server["scopes_supported"],
  });
});
