// The database statements of a tool: as many as its route's, and for a write as many as with an Idempotency-Key.
import { textsOf } from "@plinth/support/mcp-text";
import { afterAll, expect, test } from "bun:test";

import { tools, type ToolName } from "@plinth/contract/mcp/tools";
import { createInProcessFixtures } from "@plinth/domain/test/fixtures";
import { closeThreads } from "@plinth/domain/threads/pool";

import { askRest, rightArguments } from "./test/right-arguments.ts";
import { createMcpService } from "./test/messages.ts";

const { service, mcp } = await createMcpService();
const fixtures = await createInProcessFixtures(service.setup);
const { project } = fixtures;
const as = fixtures.owner.token;
const right = rightArguments(fixtures);
// The rendering is computed once, and stored.
await mcp.call("get_artifact_preview", await right.get_artifact_preview(), { as });
afterAll(async () => {
  await closeThreads();
  await service.close();
});

/** The statements of the most frequent tools; the others are only compared with their routes. */
const costs: { readonly [Name in ToolName]?: number } = {
  whoami: 1,
  get_artifact: 1,
  get_artifact_access: 3,
  get_artifact_content: 2,
  create_artifact: 4,
  update_artifact: 4,
  edit_artifact: 4,
};

/**
 * The artifact is loaded beside its text, for the URL in the result. Who can see it includes its members and links. A URL is
 * made again without a record of its key.
 */
const beyondRoute: { readonly [Name in ToolName]?: number } = {
  get_artifact_content: 1,
  get_artifact_access: 2,
  create_upload: -2,
};

/** Arguments where those of other tests would ask for what is kept since the first call. */
const others: { readonly [Name in ToolName]?: () => Promise<Record<string, unknown>> } = {
  async diff_artifact_versions() {
    const { artifactId } = await service.setup.publish(as, project.slug);
    return { artifactId, fromVersion: 1, toVersion: 1 };
  },
};

test.each(tools.map((tool) => [tool.name, tool] as const))("%s asks no oftener than its route", async (name, tool) => {
  const argumentsOf = others[name] ?? right[name];
  const [first, second] = [await argumentsOf(), await argumentsOf()];
  const key = tool.operation.method === "POST" ? { "idempotency-key": crypto.randomUUID() } : {};
  const byRest = await service.setup.statementsOf(async () => {
    const response = await askRest(service, tool, first, { as, headers: key });
    await response.bytes();
    expect(response.status).toBeLessThan(300);
  });
  const byMcp = await service.setup.statementsOf(async () => textsOf(await mcp.call(name, second, { as })));
  const hint = "where the second call changes nothing: its case has to return another input each time";
  expect(byMcp, hint).toBe(byRest + (beyondRoute[name] ?? 0));
  expect(byMcp).toBe(costs[name] ?? byMcp);
});

test("what is asked beside tools is one statement: who is asking", async () => {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  for (const ask of [
    () => mcp.ask("tools/list", {}, { as }),
    () => mcp.ask("server/discover", {}, { as }),
    () => mcp.ask("initialize", params, { as, revision: "2025-11-25" }),
  ])
    expect(await service.setup.statementsOf(ask)).toBe(1);
});

test("a publish on top of what is there costs what its steps do", async () => {
  const wanted = await right.create_artifact();
  await mcp.call("create_artifact", wanted, { as });
  const again = (content: string) => mcp.call("create_artifact", { ...wanted, content, ifExists: "update" }, { as });
  // The conflict (4 and why), the artifact, its latest version, and the version (4) where there is one.
  const [same, other] = [
    await service.setup.statementsOf(() => again(String(wanted["content"]))),
    await service.setup.statementsOf(() => again("# Newer")),
  ];
  expect(other - same).toBe(4);
  expect(same).toBeLessThanOrEqual(8);
});
