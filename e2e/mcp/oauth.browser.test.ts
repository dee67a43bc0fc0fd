// A program that only knows the URL of the MCP endpoint, an instance with default settings, and a person in Chromium:
// from the first refusal to the last.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { OAuthError } from "@modelcontextprotocol/client";
import { usualScopes } from "@plinth/contract/scopes";
import { factsOf } from "@plinth/support/mcp-text";
import type { Browser, BrowserContext } from "playwright-core";

import { openBrowser, openContext } from "../harness/browser.ts";
import { ownDatabase, scaledOut, type OwnDatabase } from "../harness/database.ts";
import { send } from "../harness/http.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, createProject, signIn, type Person } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { Program } from "./authorizing.ts";

setDefaultTimeout(hung);

let database: OwnDatabase;
let instance: Instance;
let browser: Browser;
let person: Person;
let signedIn: BrowserContext;
let projectSlug: string;
beforeAll(async () => {
  database = await ownDatabase();
  [instance, browser] = await Promise.all([startInstance({ env: scaledOut(database.url) }), openBrowser()]);
  person = await createPerson(instance);
  projectSlug = (await createProject(person)).slug;
  signedIn = await openContext(browser, instance.origin, await signIn(instance, person.userId));
});
afterAll(async () => {
  await browser.close();
  await instance.stop();
  await database.drop();
});

const endpoint = () => `${instance.origin}/mcp`;
const scopesOf = (url: URL | undefined) => url?.searchParams.get("scope")?.split(" ");

/** The endpoint's answer to a token, without a client. */
const status = async (token: string) => {
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  const headers = { accept: "application/json, text/event-stream" };
  const answer = await send(endpoint(), { method: "POST", token, headers, body });
  return [answer.status, answer.headers.get("www-authenticate")?.includes('error="invalid_token"')];
};

/** How a call ended: answered, or with the authorization server's own code. */
const endOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error: unknown) => {
      if (error instanceof OAuthError) return error.code;
      throw error;
    },
  );

test.each([
  ["legacy", "2025-11-25", "An older program"],
  ["auto", "2026-07-28", "A newer program"],
] as const)(
  "in the %s era: found, registered, allowed, asked for more, refreshed, revoked",
  async (era, revision, name) => {
    const program = new Program(name, endpoint(), signedIn, era);
    try {
      const access = { publicView: false, publicEdit: false };
      const wanted = { projectSlug, slug: `by-${era}`, type: "md", title: name, content: "# From a program\n", access };
      const made = await program.call("create_artifact", wanted);
      const { artifactId = "", url } = factsOf(made);
      expect(url).toBe(`${instance.origin}/${person.username}/${projectSlug}/by-${era}`);
      expect(await program.run((client) => Promise.resolve(client.getNegotiatedProtocolVersion()))).toBe(revision);

      // The first answer was a refusal; the person was asked once, and read who asks and for what.
      expect(program.statuses[0]).toBe(401);
      expect(program.asked).toHaveLength(1);
      const [first] = program.asked;
      expect(scopesOf(first)).toEqual([...usualScopes]);
      expect(first?.searchParams.get("resource")).toBe(endpoint());
      expect(first?.searchParams.get("code_challenge_method")).toBe("S256");
      expect(program.read[0]).toContain(name);
      expect(program.read[0]).toContain("127.0.0.1");
      const registered = program.client?.client_id;
      expect(registered).toBeString();

      // The audit event has the person, the surface and the program.
      const { auditEvents } = await person.client.call("audit.list", { artifactId });
      expect(auditEvents).toMatchObject([
        {
          kind: "artifact.created",
          surface: "mcp",
          actor: { type: "agent", label: name, onBehalfOf: { userId: person.userId } },
        },
      ]);
      if (era === "auto") expect(auditEvents[0]?.client).toBe(`${name} 1.0`);

      // A tool requires a scope that was not granted: the same client asks the person, who can refuse.
      program.decide = () => "Deny";
      const before = program.statuses.length;
      expect(await endOf(program.call("delete_artifact", { artifactId }))).toBe("access_denied");
      expect(program.statuses.slice(before)).toContain(403);
      program.decide = () => "Allow";
      const deleted = await program.call("delete_artifact", { artifactId });
      expect(deleted.isError).toBeUndefined();
      expect(scopesOf(program.asked.at(-1))).toContain("artifacts:delete");
      expect(program.client?.client_id).toBe(registered ?? "none");

      // The access token expires; the person is not asked.
      const asked = program.asked.length;
      const held = program.tokens;
      await database.sql`UPDATE oauth_access_token SET expires_at = now()`;
      expect(await status(held?.access_token ?? "")).toEqual([401, true]);
      expect((await program.call("undelete_artifact", { artifactId })).isError).toBeUndefined();
      expect(program.tokens?.access_token).not.toBe(held?.access_token ?? "");
      expect(program.asked).toHaveLength(asked);

      // The person revokes the connection on their own page; afterwards every call and refresh is refused.
      const page = await signedIn.newPage();
      page.setDefaultTimeout(hung);
      await page.goto(`${instance.origin}/settings/agents`);
      const row = page.getByRole("row", { name });
      await row.locator("summary").click();
      await row.getByRole("button", { name: `Revoke ${name}` }).click();
      await page.getByText("Revoked.", { exact: true }).waitFor();
      await page.close();
      expect(await status(program.tokens?.access_token ?? "")).toEqual([401, true]);
      program.decide = () => "Deny";
      const refreshing = program.statuses.length;
      expect(await endOf(program.call("get_artifact_access", { artifactId }))).toBe("access_denied");
      expect(new Set(program.statuses.slice(refreshing))).toEqual(new Set([401]));
      // It can only ask its person again.
      expect(program.asked.length).toBeGreaterThan(asked);
      expect(program.tokens).toBeUndefined();
    } finally {
      await program.close();
    }
  },
);

test("a person who refuses is not asked endlessly, and no access is granted", async () => {
  const program = new Program("An unwanted program", endpoint(), signedIn, "auto");
  program.decide = () => "Deny";
  try {
    expect(await endOf(program.call("whoami"))).toBe("access_denied");
    expect(program.tokens).toBeUndefined();
    expect(program.asked).toHaveLength(1);
    expect(new Set(program.statuses)).toEqual(new Set([401]));
  } finally {
    await program.close();
  }
});
