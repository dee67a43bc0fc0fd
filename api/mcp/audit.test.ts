// The audit events of MCP calls: the actor, the surface, and the program's own name for itself.
import { afterAll, expect, test } from "bun:test";

import type { AuditEvent } from "@plinth/contract/schemas/audit";

import { createMcpService, modernRevision, type Sent } from "./test/messages.ts";

const { service, mcp, owner } = await createMcpService();
const { slug } = await service.setup.project(owner.token);
const { artifactId } = await service.setup.publish(owner.token, slug);
afterAll(() => service.close());

async function newest(): Promise<AuditEvent> {
  const { auditEvents } = await service.setup.call("audit.list", { artifactId, limit: 1 }, { as: owner.token });
  const [event] = auditEvents;
  if (event === undefined) throw new Error("nothing was written down");
  return event;
}

let writes = 0;
const write = (sent: Sent = {}) =>
  mcp.call("update_artifact", { artifactId, content: `# ${++writes}\n` }, { as: owner.token, ...sent });

/** A write from a client of the 2026 revision with that name. */
async function writeAs(clientInfo: unknown): Promise<Response> {
  const params = {
    name: "update_artifact",
    arguments: { artifactId, content: `# ${++writes}\n` },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": modernRevision,
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  return service.ask("POST", "/mcp", {
    as: owner.token,
    body: { jsonrpc: "2.0", id: writes, method: "tools/call", params },
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": modernRevision,
      "mcp-method": "tools/call",
      "mcp-name": "update_artifact",
    },
  });
}

test("a program of 2026 says with each request who it is", async () => {
  await write({ headers: { "user-agent": "node", "x-request-id": "request-of-the-write" } });
  expect(await newest()).toMatchObject({
    kind: "artifact.updated",
    surface: "mcp",
    client: "test-client 1.0",
    requestId: "request-of-the-write",
    actor: { type: "api_key", onBehalfOf: { userId: owner.userId } },
  });
});

test("an older one says it once, and is known by its user agent afterwards", async () => {
  await write({ revision: "2025-06-18", headers: { "user-agent": "some-agent/2.1 (linux; x64)" } });
  expect(await newest()).toMatchObject({ surface: "mcp", client: "some-agent/2.1" });
  await write({ revision: "2025-06-18" });
  expect(await newest()).not.toHaveProperty("client");
});

test("what other surfaces do names no program", async () => {
  const body = { content: "# By REST\n" };
  const headers = { "user-agent": "curl/8" };
  await service.ask("POST", `/api/artifacts/${artifactId}/versions`, { as: owner.token, body, headers });
  const event = await newest();
  expect([event.surface, "client" in event]).toEqual(["api", false]);
});

test.each([
  [
    "control characters and line ends",
    "a\r\nx-injected: 1\u0000\u001b[31mb\u2028c\u202ed",
    "a x-injected: 1 [31mb c d 9",
  ],
  ["an unpaired surrogate", "half \ud83d", "half \ufffd 9"],
  ["markup", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)> 9"],
  ["ten thousand letters", "x".repeat(10_000), "x".repeat(100)],
  ["ten thousand faces", "😀".repeat(10_000), "😀".repeat(100)],
  ["a letter and faces", `x${"😀".repeat(10_000)}`, `x${"😀".repeat(99)}`],
])("a name of %s is written down as one short plain line", async (_, name, kept) => {
  expect((await writeAs({ name, version: "9" })).status).toBe(200);
  const { client = "" } = await newest();
  expect([client, client.isWellFormed()]).toEqual([kept, true]);
});

test("a name that is none is no name", async () => {
  for (const info of [
    { name: "\u0000\u200b", version: "" },
    { name: " ", version: "\n" },
  ]) {
    expect((await writeAs(info)).status).toBe(200);
    expect(await newest()).not.toHaveProperty("client");
  }
  const before = await newest();
  for (const info of [null, 1, [], "name", { name: 1, version: "1" }, { name: { toString: "x" }, version: [] }])
    expect((await writeAs(info)).status).toBe(400);
  expect(await newest()).toEqual(before);
});

test("what was refused is not written down, and neither is a token", async () => {
  const rows = await service.setup.count("audit_event");
  await mcp.call("update_artifact", { artifactId, content: 1 }, { as: owner.token });
  await mcp.call("update_artifact", { artifactId: "art_nothing", content: "x" }, { as: owner.token });
  await mcp.send("tools/call", { name: "update_artifact", arguments: { artifactId, content: "x" } });
  expect(await service.setup.count("audit_event")).toBe(rows);
  const kept = await service.setup.db.run("SELECT row_to_json(e)::text AS event FROM audit_event e");
  expect(JSON.stringify(kept)).not.toContain(owner.token);
});
