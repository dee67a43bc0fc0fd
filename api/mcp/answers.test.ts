// Every tool that succeeds: its answer matches the declared schema, brief and detailed, and its text begins with a
// URL and is short.
import { afterAll, describe, expect, test } from "bun:test";

import { definitionOf } from "@plinth/contract/mcp/definition";
import { tools } from "@plinth/contract/mcp/tools";
import { closeThreads } from "@plinth/domain/threads/pool";
import { Ajv2020 } from "ajv/dist/2020";

import { rightArguments, type Given } from "./test/right-arguments.ts";
import { createMcpService, valueOf, type ToolAnswer } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
const project = await service.setup.project(as);
const artifact = await service.setup.publish(as, project.slug, { content: "one\n", title: "The one" });
await service.setup.call("version.create", { artifactId: artifact.artifactId, content: "two\n" }, { as });
await service.setup.call("shareLink.create", { artifactId: artifact.artifactId, role: "viewer" }, { as });
const right = rightArguments(service, { as, project, artifact });
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
const textOf = ({ content }: ToolAnswer): string => content[0]?.text ?? "";

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const { inputSchema, outputSchema } = definitionOf(tool);
  const fits = ajv.compile(outputSchema);

  test("answers what its schema says, with a short text that begins with an address", async () => {
    const given = await right[name]();
    expect(ajv.validate(inputSchema, given)).toBe(true);
    const answer = await mcp.call(name, given, { as });
    const value = valueOf(answer);
    expect([fits(value), fits.errors]).toEqual([true, null]);
    const declared = Object.keys((outputSchema as { properties?: object }).properties ?? {});
    expect(Object.keys(value).filter((member) => !declared.includes(member))).toEqual([]);
    const text = textOf(answer);
    expect(text).toMatch(/^http:\/\/plinth\.test\S*/);
    expect(text.split("\n")[0]).toMatch(/\.$/);
    expect(Buffer.byteLength(text)).toBeLessThan(2000);
    expect(answer.content.map(({ type }) => type)).not.toContain("resource_link");
  });

  if (tool.hasMore) {
    test("answers all that its operation does where it is told to", async () => {
      const brief = valueOf(await mcp.call(name, await right[name](), { as }));
      const full = valueOf(await mcp.call(name, { ...(await right[name]()), detail: "detailed" }, { as }));
      expect([fits(full), fits.errors]).toEqual([true, null]);
      const limit = "limit" in tool.operation.input.properties ? { limit: 10 } : {};
      const asked = { ...(await right[name]()), ...limit };
      const whole = await service.setup.call(tool.operation.name, asked, { as });
      expect(full).toEqual(JSON.parse(JSON.stringify(whole)) as Given);
      expect(JSON.stringify(full).length).toBeGreaterThan(JSON.stringify(brief).length);
    });
  }

  test("tells clients that know text alone all of it in text", async () => {
    const answer = await mcp.call(name, await right[name](), { as, revision: "2025-03-26" });
    expect(answer).toEqual({ content: answer.content });
    expect(answer.content.every(({ type }) => type === "text")).toBe(true);
    expect(answer.content).toHaveLength(2);
    const [, { text = "" } = {}] = answer.content;
    const isPlain = name === "get_artifact_content" || name === "diff_artifact_versions";
    if (!isPlain) expect([fits(JSON.parse(text)), fits.errors]).toEqual([true, null]);
  });
});
