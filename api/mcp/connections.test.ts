// A person who connects a program sees that it has arrived: the program, its credential, and the time.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { sessionCookie } from "@plinth/domain/tokens/session-cookie";

import { openBrowser, registerClient } from "../test/oauth-clients.ts";
import { createService, type Service } from "../test/service.ts";
import { modernRevision, speakTo } from "./test/messages.ts";

let service: Service;
let mcp: ReturnType<typeof speakTo>;
beforeAll(async () => {
  service = await createService();
  mcp = speakTo(service);
});
afterAll(() => service.close());

type Person = Awaited<ReturnType<Service["setup"]["person"]>>;

async function cookieOf(person: Person): Promise<string> {
  const caller = await service.setup.session(person.userId);
  if (typeof caller === "string" || caller.kind !== "session") throw new Error("that is no session");
  return sessionCookie(service.setup.instance.config, caller.token);
}

interface List {
  readonly connections: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

async function list(cookie: string, query = ""): Promise<List> {
  await service.setup.instance.mcpUses.flush();
  const response = await service.ask("GET", `/api/profile/mcp-connections${query}`, { headers: { cookie } });
  expect(response.status).toBe(200);
  return (await response.json()) as List;
}

const initialize = (as: string, name: string) =>
  mcp.send(
    "initialize",
    { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name, version: "2.1" } },
    { as, revision: "2025-06-18" },
  );

test("a new user has no connections, and a program is one from its first message", async () => {
  const person = await service.setup.person();
  const cookie = await cookieOf(person);
  expect(await list(cookie)).toEqual({ connections: [], nextCursor: null });
  const began = Date.now();
  expect((await initialize(person.token, "claude-code")).status).toBe(200);
  const { connections } = await list(cookie);
  expect(connections).toMatchObject([{ kind: "api_key", program: "claude-code 2.1" }]);
  expect(Date.parse(String(connections[0]?.["lastSpokeAt"]))).toBeGreaterThanOrEqual(began - 1000);
});

test("a message without a program's name keeps the last name; another program's name replaces it at once", async () => {
  const person = await service.setup.person();
  const cookie = await cookieOf(person);
  await initialize(person.token, "codex");
  await mcp.call("whoami", {}, { as: person.token, revision: "2025-06-18", headers: { "user-agent": "node" } });
  expect((await list(cookie)).connections).toMatchObject([{ program: "codex 2.1" }]);
  await mcp.call("whoami", {}, { as: person.token, revision: modernRevision });
  expect((await list(cookie)).connections).toMatchObject([{ program: "test-client 1.0" }]);
});

test("a conversation of one program is written once", async () => {
  const person = await service.setup.person();
  await initialize(person.token, "codex");
  const { db, instance } = service.setup;
  await instance.mcpUses.flush();
  for (let n = 0; n < 20; n++) await mcp.call("whoami", {}, { as: person.token, revision: "2025-06-18" });
  const before = db.statements.total;
  await instance.mcpUses.flush();
  expect(db.statements.total - before).toBe(0);
});

test("a name that is no name is none, and one is shown as one line", async () => {
  const person = await service.setup.person();
  const cookie = await cookieOf(person);
  await initialize(person.token, "\u0000\u202e");
  expect((await list(cookie)).connections).toMatchObject([{ program: null }]);
  await initialize(person.token, `a\n\u001b[31m${"x".repeat(500)}`);
  const [row] = (await list(cookie)).connections;
  expect(String(row?.["program"])).toMatch(/^a \[31mx+$/);
  expect(String(row?.["program"]).length).toBe(100);
});

test("a client connected by OAuth is one connection, also after its tokens are refreshed", async () => {
  const person = await service.setup.person();
  const browser = await openBrowser(service, person);
  const client = await registerClient(service, { client_name: "Cursor" });
  const first = await client.connect(browser);
  await initialize(first.access_token, "cursor");
  const second = await client.refresh(first.refresh_token ?? "");
  await initialize(second.access_token, "cursor");
  const cookie = browser.headers.cookie;
  const { connections } = await list(cookie);
  expect(connections).toMatchObject([{ kind: "oauth", name: "Cursor", program: "cursor 2.1" }]);
  await service.ask("DELETE", `/api/agents/${String(connections[0]?.["credentialId"])}`, { headers: browser.headers });
  expect((await list(cookie)).connections).toEqual([]);
});

test("the most recent connection is first, page by page, and users do not see each other's", async () => {
  const person = await service.setup.person();
  const keys = [];
  for (const name of ["one", "two", "three"]) {
    const key = await service.setup.key(person.userId, ["artifacts:read"]);
    await initialize(key, name);
    keys.push(name);
  }
  const cookie = await cookieOf(person);
  const programs: string[] = [];
  let query = "?limit=1";
  for (;;) {
    const { connections, nextCursor } = await list(cookie, query);
    programs.push(...connections.map(({ program }) => String(program)));
    if (nextCursor === null) break;
    query = `?limit=1&cursor=${nextCursor}`;
  }
  expect(programs.toSorted()).toEqual(keys.map((name) => `${name} 2.1`).toSorted());
  const whole = (await list(cookie)).connections;
  expect(whole.map(({ program }) => String(program))).toEqual(programs);
  const times = whole.map(({ lastSpokeAt }) => String(lastSpokeAt));
  expect(times).toEqual(times.toSorted().toReversed());
  expect(await list(await cookieOf(await service.setup.person()))).toEqual({ connections: [], nextCursor: null });
  const foreign = await service.ask("GET", "/api/profile/mcp-connections?cursor=YWdlbnRzOng", { headers: { cookie } });
  expect(foreign.status).toBe(400);
});

test("only who manages credentials may look: a session or a login, no key", async () => {
  const person = await service.setup.person();
  const answer = await service.ask("GET", "/api/profile/mcp-connections", { as: person.token });
  expect(answer.status).toBe(403);
});
