// Versions as resources: listed, read, completed, and refused as the protocol requires.
import { afterAll, describe, expect, test } from "bun:test";

import { createMcpService, modernRevision, olderRevisions, type RpcAnswer } from "./test/messages.ts";

const { service, mcp, owner, as } = await createMcpService();
const uriTemplate = "artifact://{artifactId}/v/{n}";
const text = "\uFEFFone\r\n😀";
const { slug } = await service.setup.project(as);
const hidden = await service.setup.publish(as, slug, {
  access: { publicView: false, publicEdit: false },
  title: "Hidden",
});
const artifact = await service.setup.publish(as, slug, { content: text, title: "Shown", type: "html" });
await service.setup.call("version.create", { artifactId: artifact.artifactId, content: "two" }, { as });
afterAll(() => service.close());

const uriOf = (artifactId: string, n: number | string) => `artifact://${artifactId}/v/${n}`;

async function errorOf(method: string, params: Record<string, unknown>, who = as) {
  const { error } = (await (await mcp.send(method, params, { as: who })).json()) as RpcAnswer;
  return error;
}

const completed = async (name: string, value: string, given: Record<string, string> = {}) => {
  const ref = { type: "ref/resource", uri: uriTemplate };
  const params = { ref, argument: { name, value }, context: { arguments: given } };
  return ((await mcp.ask("completion/complete", params, { as }))["completion"] as { values: string[] }).values;
};

describe("resources", () => {
  test("are the latest versions of the caller's artifacts, newest first", async () => {
    const { resources } = await mcp.ask("resources/list", {}, { as });
    expect(resources).toEqual([
      { uri: uriOf(artifact.artifactId, 2), name: "Shown", description: artifact.url, mimeType: "text/html" },
      expect.objectContaining({ uri: uriOf(hidden.artifactId, 1), name: "Hidden", mimeType: "text/markdown" }),
    ]);
  });

  test("go on by a cursor, and an unknown one is refused", async () => {
    const many = await service.setup.person();
    const { slug } = await service.setup.project(many.token);
    const made = await Promise.all(Array.from({ length: 103 }, () => service.setup.publish(many.token, slug)));
    const first = await mcp.ask("resources/list", {}, { as: many.token });
    const second = await mcp.ask("resources/list", { cursor: first["nextCursor"] }, { as: many.token });
    const listed = [first, second].map(({ resources }) => resources as { uri: string }[]);
    expect(listed.map(({ length }) => length)).toEqual([100, 3]);
    expect(second["nextCursor"]).toBeUndefined();
    const uris = made.map(({ artifactId }) => uriOf(artifactId, 1));
    expect(
      listed
        .flat()
        .map(({ uri }) => uri)
        .toSorted(),
    ).toEqual(uris.toSorted());
    expect(await errorOf("resources/list", { cursor: "nonsense" })).toMatchObject({
      code: -32_602,
      data: { code: "invalid_request" },
    });
  });

  test("are read to the byte, in every revision", async () => {
    const uri = uriOf(artifact.artifactId, 1);
    for (const revision of [modernRevision, ...olderRevisions] as const) {
      const { contents } = await mcp.ask("resources/read", { uri }, { as, revision });
      expect(contents).toEqual([{ uri, mimeType: "text/html", text }]);
    }
  });

  test("that are missing, hidden or malformed are the same error", async () => {
    const { token: stranger } = await service.setup.person();
    const uris = [uriOf(hidden.artifactId, 1), uriOf(artifact.artifactId, 9), uriOf(`art_${"0".repeat(26)}`, 1)];
    for (const uri of [...uris, "artifact://x", "file:///etc/passwd", `${uriOf(artifact.artifactId, 1)}/../2`])
      expect(await errorOf("resources/read", { uri }, stranger)).toEqual({
        code: -32_602,
        message: `Resource not found: ${uri}`,
        data: { uri },
      });
  });

  test("take the scope to read, and name it", async () => {
    const narrow = await service.setup.key(owner.userId, ["artifacts:create"]);
    const response = await mcp.send("resources/read", { uri: uriOf(artifact.artifactId, 1) }, { as: narrow });
    expect(await response.json()).toMatchObject({
      error: { data: { code: "insufficient_scope", requiredScope: "artifacts:read" } },
    });
  });

  test("of MCP Apps: each tool that names a page can have it read, by any caller", async () => {
    const { tools } = (await mcp.ask("tools/list", {}, { as })) as {
      tools: { name: string; _meta?: { ui: { resourceUri: string } } }[];
    };
    const shown = tools.filter(({ _meta }) => _meta !== undefined);
    expect(shown.map(({ name }) => name)).toContain("get_artifact_preview");
    const narrow = await service.setup.key(owner.userId, ["artifacts:create"]);
    for (const uri of new Set(shown.map(({ _meta }) => _meta?.ui.resourceUri))) {
      const { contents } = (await mcp.ask("resources/read", { uri }, { as: narrow })) as {
        contents: { text: string }[];
      };
      expect(contents).toMatchObject([{ uri, mimeType: "text/html;profile=mcp-app" }]);
      // It loads nothing and shows no text as markup.
      expect(contents[0]?.text).not.toMatch(/\bsrc=|innerHTML|https?:\/\/\w/);
    }
  });

  test("have one template", async () => {
    const { resourceTemplates } = await mcp.ask("resources/templates/list", {}, { as });
    expect(resourceTemplates).toMatchObject([{ uriTemplate, name: "artifact-version" }]);
  });
});

describe("completion", () => {
  test("finds artifacts by identifier, slug and words of the title", async () => {
    for (const value of [artifact.artifactId, artifact.slug, "SHOWN"])
      expect(await completed("artifactId", value)).toEqual([artifact.artifactId]);
    expect(await completed("artifactId", "")).toEqual([artifact.artifactId, hidden.artifactId]);
    expect(await completed("artifactId", "nothing of the sort")).toEqual([]);
  });

  test("finds versions of the artifact that was chosen", async () => {
    const { artifactId } = artifact;
    expect(await completed("n", "", { artifactId })).toEqual(["2", "1"]);
    expect(await completed("n", "2", { artifactId })).toEqual(["2"]);
    expect(await completed("n", "", {})).toEqual([]);
    expect(await completed("other", "", { artifactId })).toEqual([]);
  });

  test("of anything else is refused", async () => {
    const argument = { name: "n", value: "" };
    for (const ref of [
      { type: "ref/prompt", name: "x" },
      { type: "ref/resource", uri: "artifact://{other}" },
    ])
      expect(await errorOf("completion/complete", { ref, argument })).toMatchObject({ code: -32_602 });
  });
});
