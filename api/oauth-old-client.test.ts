// The MCP project's client of the 1.x line, which refreshes its token where a scope is missing: it must come to ask its
// person for the scope all the same.
import { textOf } from "@plinth/support/mcp-text";
import { afterAll, beforeAll, expect, test } from "bun:test";

import { UnauthorizedError, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { usualScopes } from "@plinth/contract/scopes";

import { fetchOf, openBrowser, registerClient, type Browser } from "./test/oauth-clients.ts";
import { createService, type Service } from "./test/service.ts";

/** The client sends tokens over TLS only. */
const origin = "https://plinth.example";
const redirectUrl = "http://127.0.0.1:33418/callback";

let service: Service;
let browser: Browser;
beforeAll(async () => {
  service = await createService({ publicUrl: origin, contentOrigin: origin });
  browser = await openBrowser(service, await service.setup.person());
});
afterAll(() => service.close());

type Kept<Name extends "tokens" | "clientInformation"> = Awaited<ReturnType<NonNullable<OAuthClientProvider[Name]>>>;

/** A program with its storage; its person allows everything in the browser. */
function createProgram() {
  let [tokens, information, verifier]: [Kept<"tokens">, Kept<"clientInformation">, string] = [undefined, undefined, ""];
  const asked: URL[] = [];
  let answer: URL | undefined;
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: "An older client",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    codeVerifier: () => verifier,
    saveCodeVerifier: (saved) => void (verifier = saved),
    redirectToAuthorization: async (url) => {
      asked.push(url);
      answer = await browser.allow(url);
    },
  };

  async function call(name: string, given: Record<string, unknown> = {}) {
    for (let round = 0; ; round++) {
      answer = undefined;
      const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
        authProvider,
        fetch: fetchOf(service),
      });
      const client = new Client({ name: "test", version: "1" });
      try {
        await client.connect(transport);
        return await client.callTool({ name, arguments: given });
      } catch (error) {
        const code = (answer as URL | undefined)?.searchParams.get("code");
        if (!(error instanceof UnauthorizedError) || typeof code !== "string" || round > 3) throw error;
        await transport.finishAuth(code);
      } finally {
        await client.close();
      }
    }
  }
  const scopesAsked = () => asked.map((url) => url.searchParams.get("scope")?.split(" "));
  return { call, scopesAsked, tokens: () => tokens };
}

test("a client of 1.x asks its person for a missing scope, once, and keeps the scopes that it had", async () => {
  const { token, username } = browser.person;
  const project = await service.setup.project(token);
  const { artifactId } = await service.setup.publish(token, project.slug);
  const program = createProgram();
  expect(textOf(await program.call("whoami"))).toContain(`: you act for ${username} (`);
  expect(program.tokens()?.refresh_token).toBeString();
  expect(program.scopesAsked()).toEqual([[...usualScopes]]);

  expect((await program.call("delete_artifact", { artifactId })).isError).toBeUndefined();
  expect(program.scopesAsked()).toHaveLength(2);
  expect(program.scopesAsked()[1]).toEqual(expect.arrayContaining([...usualScopes, "artifacts:delete"]));

  expect((await program.call("undelete_artifact", { artifactId })).isError).toBeUndefined();
  expect((await program.call("get_artifact_access", { artifactId })).isError).toBeUndefined();
  expect(program.scopesAsked()).toHaveLength(2);
});

test("a missing scope of one client: another client of the same person refreshes its token", async () => {
  const project = await service.setup.project(browser.person.token);
  const { artifactId } = await service.setup.publish(browser.person.token, project.slug);
  const scope = "artifacts:read offline_access";
  const [asking, other] = await Promise.all([
    registerClient(service, { client_name: "Asking" }),
    registerClient(service, { client_name: "Other" }),
  ]);
  const held = await asking.connect(browser, { scope });
  const others = await other.connect(browser, { scope });

  const call = { name: "delete_artifact", arguments: { artifactId } };
  const refused = await fetchOf(service)(`${origin}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${held.access_token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
  });
  const challenge = refused.headers.get("www-authenticate");
  expect([refused.status, challenge]).toEqual([403, expect.stringContaining("insufficient_scope")]);

  expect((await other.refresh(others.refresh_token ?? "")).access_token).toBeString();
  const again = await asking.refresh(held.refresh_token ?? "").catch((error: unknown) => error);
  expect(again).toMatchObject({ error: "interaction_required" });
});
