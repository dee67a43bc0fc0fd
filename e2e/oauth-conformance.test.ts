// The MCP project's conformance suite for authorization servers, run as it is against an instance. A person is needed
// in it: they open the address that the suite writes out, and consent.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { oauthPaths } from "@plinth/contract/oauth";
import { reservePort } from "@plinth/support/reserved-port";

import { jsonOf, send } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { clientOf, createPerson, signIn } from "./harness/people.ts";
import { hung, withinHung } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";

setDefaultTimeout(hung);

let instance: Instance;
let session: string;
beforeAll(async () => {
  instance = await sharedInstance();
  session = await signIn(instance, (await createPerson(instance)).userId);
}, hung);
afterAll(() => instance.stop(), hung);

const suite = join(import.meta.dir, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

async function register(redirectUri: string): Promise<string> {
  const body = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none", client_name: "Conformance" };
  const answer = await send(`${instance.origin}${oauthPaths.register}`, { method: "POST", body });
  return jsonOf<{ client_id: string }>(answer, 201).client_id;
}

/** Opens an authorization request in the person's browser, consents, and goes where that leads. */
async function consent(url: string): Promise<void> {
  const page = await send(url, { token: session });
  const query = new URL(page.headers.get("location") ?? "").search.slice(1);
  const { redirectTo } = await clientOf(instance.origin, session).call("oauth.decideConsent", { query, accept: true });
  await fetch(redirectTo);
}

/** Its output without colours, and how it ended. */
async function run(): Promise<{ output: string; exitCode: number | null }> {
  const port = reservePort();
  const clientId = await register(`http://127.0.0.1:${port}/callback`);
  const options = ["--url", instance.origin, "--client-id", clientId, "--resource", `${instance.origin}/mcp`];
  const child = Bun.spawn([process.execPath, "--bun", suite, "authorization", ...options, "--port", String(port)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  let opened = false;
  const follow = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      const url = new RegExp(`${instance.origin}${oauthPaths.authorize}\\?\\S+(?=\\s)`).exec(output)?.[0];
      if (url === undefined || opened) continue;
      opened = true;
      await consent(url);
    }
  };
  try {
    await withinHung(Promise.all([follow(child.stdout), follow(child.stderr), child.exited]), () => output);
  } finally {
    child.kill();
  }
  return { output: Bun.stripANSI(output), exitCode: child.exitCode };
}

test("every scenario for authorization servers passes", async () => {
  const { output, exitCode } = await run();
  expect({ output, exitCode }).toMatchObject({ exitCode: 0 });
  for (const scenario of ["authorization-server-metadata-endpoint: 2", "authorization-code-grant: 1"])
    expect(output).toContain(`✓ ${scenario} passed, 0 failed`);
});
