// `tools/list`: the names that clients rely on, valid examples, and the same for every caller.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { definitionOf } from "@plinth/contract/mcp/definition";
import { tools } from "@plinth/contract/mcp/tools";
import { scopes, usualScopes, type Scope } from "@plinth/contract/scopes";
import { Ajv2020 } from "ajv/dist/2020";

import { createService, type Service } from "../test/service.ts";
import { instructions } from "./server.ts";
import { modernRevision, olderRevisions, speakTo } from "./test/messages.ts";

/** The tools that every client relies on, with their fields. */
const specified: Readonly<
  Record<string, { readonly fields: readonly string[]; readonly required: readonly string[] }>
> = {
  create_artifact: {
    fields: [
      "ownerUsername",
      "projectSlug",
      "slug",
      "type",
      "title",
      "content",
      "contentSha256",
      "archiveSha256",
      "access",
      "description",
      "changelog",
      "files",
      "documentPath",
    ],
    required: ["projectSlug", "slug", "type", "title", "access"],
  },
  update_artifact: {
    fields: [
      "artifactId",
      "content",
      "contentSha256",
      "archiveSha256",
      "changelog",
      "expectedLatestVersion",
      "files",
      "documentPath",
    ],
    required: ["artifactId"],
  },
  create_upload: { fields: ["artifactId", "ownerUsername", "sizeBytes"], required: ["sizeBytes"] },
  get_artifact_access: { fields: ["artifactId"], required: ["artifactId"] },
  list_artifact_versions: { fields: ["artifactId", "limit"], required: ["artifactId"] },
  get_artifact_content: { fields: ["artifactId", "versionNumber"], required: ["artifactId"] },
  diff_artifact_versions: {
    fields: ["artifactId", "fromVersion", "toVersion"],
    required: ["artifactId", "fromVersion", "toVersion"],
  },
  restore_artifact_version: { fields: ["artifactId", "versionNumber"], required: ["artifactId"] },
};

const definitions = tools.map(definitionOf);
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

function definition(name: string) {
  const found = definitions.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

describe("the tools that clients rely on", () => {
  test.each(Object.entries(specified))("%s takes what its table says", (name, { fields, required }) => {
    const schema = definition(name).inputSchema as { properties?: object; required?: string[] };
    const known = Object.keys(schema.properties ?? {});
    expect(fields.filter((field) => !known.includes(field))).toEqual([]);
    expect((schema.required ?? []).toSorted()).toEqual(required.toSorted());
  });
});

describe("every tool", () => {
  test.each(definitions.map((each) => [each.name, each] as const))("%s is described in full", (_, tool) => {
    expect(tool.name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(tool.title.length).toBeGreaterThan(5);
    expect(tool.description).toMatch(/^[A-Z][^]*[.}]$/);
    expect(ajv.validateSchema(tool.inputSchema)).toBe(true);
    expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    const { readOnlyHint, destructiveHint } = tool.annotations;
    expect(readOnlyHint).toBe(/^(?:whoami|list|search|get|diff|explain)/.test(tool.name));
    if (!readOnlyHint) expect(destructiveHint).toBe(/^(?:delete|revoke|set)/.test(tool.name));
  });

  test("that shows an example takes it", () => {
    const examples = definitions.flatMap((tool) => {
      const [, example] = /Example: (\{.*\})$/.exec(tool.description) ?? [];
      return example === undefined ? [] : [{ tool, example: JSON.parse(example) as unknown }];
    });
    expect(examples.map(({ tool }) => tool.name)).toEqual(["create_artifact", "create_share_link", "edit_artifact"]);
    for (const { tool, example } of examples) {
      const takes = ajv.compile(tool.inputSchema);
      expect([takes(example), takes.errors]).toEqual([true, null]);
      expect(takes({ ...(example as object), surprise: 1 })).toBe(false);
    }
  });
});

test("the instructions have at most 500 characters, and name no tool that is not there", () => {
  expect(instructions.length).toBeLessThanOrEqual(500);
  const named = instructions.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !definitions.some((tool) => tool.name === name))).toEqual([]);
});

describe("what is listed", () => {
  let service: Service;
  let mcp: ReturnType<typeof speakTo>;
  beforeAll(async () => {
    service = await createService();
    mcp = speakTo(service);
  });
  afterAll(() => service.close());

  test("is the same to the byte for all callers with all scopes, at any time, in each revision", async () => {
    const [one, other] = [await service.setup.person(), await service.setup.person({ plan: "free" })];
    for (const revision of [modernRevision, ...olderRevisions] as const) {
      const seen = new Set<string>();
      for (const as of [one.token, other.token, one.token])
        seen.add(JSON.stringify((await mcp.ask("tools/list", {}, { as, revision }))["tools"]));
      expect([...seen]).toEqual([JSON.stringify(definitions)]);
    }
  });

  test("leaves out tools that the instructions name, with the way to get them", async () => {
    const { token, userId } = await service.setup.person();
    const said = async (as: string): Promise<unknown> => {
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
      const { instructions: first } = await mcp.ask("initialize", params, { as, revision: "2025-11-25" });
      expect((await mcp.ask("server/discover", {}, { as }))["instructions"]).toEqual(first);
      return first;
    };
    expect(await said(token)).toBe(instructions);
    const allButDeleting = scopes.filter((scope) => scope !== "artifacts:delete");
    expect(await said(await service.setup.key(userId, allButDeleting))).toBe(
      `${instructions} Not listed, because this permission lacks their scopes: delete_project, delete_artifact, ` +
        "undelete_artifact; they need a key with more scopes.",
    );
  });

  test("are the tools whose scopes the credential has, each of which its call permits", async () => {
    const { userId } = await service.setup.person();
    const namesFor = async (held: readonly Scope[]) => {
      const { tools: listed } = await mcp.ask("tools/list", {}, { as: await service.setup.key(userId, held) });
      return (listed as { name: string }[]).map(({ name }) => name);
    };
    expect(await namesFor(["artifacts:read"])).toEqual([
      "whoami",
      "list_projects",
      "search_artifacts",
      "get_artifact",
      "get_artifact_preview",
      "list_artifact_versions",
      "get_artifact_content",
      "diff_artifact_versions",
    ]);
    const usual = await namesFor(usualScopes);
    expect(tools.map(({ name }) => name).filter((name) => !usual.includes(name))).toEqual([
      "delete_project",
      "delete_artifact",
      "undelete_artifact",
    ]);
  });

  test("may be kept by clients, and says so where the revision knows how to", async () => {
    const { token: as } = await service.setup.person();
    for (const method of ["tools/list", "server/discover"])
      expect(await mcp.ask(method, {}, { as })).toMatchObject({ ttlMs: 3_600_000, cacheScope: "private" });
    for (const method of ["resources/templates/list", "prompts/list"])
      expect(await mcp.ask(method, {}, { as })).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public" });
    expect(await mcp.ask("resources/list", {}, { as })).not.toMatchObject({ cacheScope: "public" });
  });
});
