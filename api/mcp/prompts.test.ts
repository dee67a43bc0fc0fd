// Prompts: what is listed, and the text that each becomes.
import { afterAll, expect, test } from "bun:test";

import { findTool } from "@plinth/contract/mcp/tools";

import { createMcpService, modernRevision, olderRevisions, type RpcAnswer } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
afterAll(() => service.close());

const get = async (given: Record<string, unknown>) => (await mcp.send("prompts/get", given, { as })).json();

test("publish_report is listed with its arguments in every revision, and may be kept", async () => {
  for (const revision of [modernRevision, ...olderRevisions] as const)
    expect(await mcp.ask("prompts/list", {}, { as, revision })).toMatchObject({
      prompts: [{ name: "publish_report", arguments: [{ name: "topic", required: true }, { name: "address" }, {}] }],
    });
  expect(await mcp.ask("prompts/list", {}, { as })).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
});

test("publish_report says what to do by tools and arguments that there are", async () => {
  const given = { topic: "herons", address: "ada/reports/herons", readers: "bea@example.com" };
  const { messages } = (await mcp.ask("prompts/get", { name: "publish_report", arguments: given }, { as })) as {
    messages: { role: string; content: { text: string } }[];
  };
  expect(messages.map(({ role }) => role)).toEqual(["user"]);
  const text = messages[0]?.content.text ?? "";
  for (const value of Object.values(given)) expect(text).toContain(value);
  const short = (await mcp.ask("prompts/get", { name: "publish_report", arguments: { topic: "x" } }, { as })) as {
    messages: { content: { text: string } }[];
  };
  const named = `${text} ${short.messages[0]?.content.text}`.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => findTool(name) === undefined)).toEqual([]);
});

test("a prompt that there is not, and one without its topic, are errors of the protocol", async () => {
  for (const given of [
    { name: "nothing" },
    { name: "publish_report" },
    { name: "publish_report", arguments: { topic: " " } },
  ])
    expect((await get(given)) as RpcAnswer).toMatchObject({ error: { code: -32_602 } });
  const ref = { type: "ref/prompt", name: "publish_report" };
  const argument = { name: "topic", value: "h" };
  expect(await mcp.ask("completion/complete", { ref, argument }, { as })).toMatchObject({ completion: { values: [] } });
});
