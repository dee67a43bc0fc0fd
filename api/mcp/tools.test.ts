import { factsOf, sourceOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { pageCharacters } from "./read-content.ts";
import { createMcpService, olderRevisions, problemOf } from "./test/messages.ts";

const { service, mcp, owner, as } = await createMcpService();
afterAll(() => service.close());

const access = { publicView: true, publicEdit: false };

test("from nothing to a changed document", async () => {
  expect(textOf(await mcp.call("whoami", {}, { as }))).toContain(`: you act for ${owner.username} (`);
  await mcp.call("create_project", { slug: "first", title: "First", icon: "p" }, { as });
  expect(textOf(await mcp.call("list_projects", {}, { as }))).toContain(`\n- ${owner.username}/first · "First" · `);
  const wanted = { projectSlug: "first", slug: "doc", type: "md", title: "Doc", content: "# One\n\ntwo\n", access };
  const made = await mcp.call("create_artifact", wanted, { as });
  const { artifactId, url } = factsOf(made);
  expect(made.content[0]?.text).toBe(
    `${url} is published as version 1, for anyone to view. Its artifactId is ${artifactId}.`,
  );
  expect(made.content).toHaveLength(1);
  const edits = [{ oldText: "two", newText: "three" }];
  expect(factsOf(await mcp.call("edit_artifact", { artifactId: url, edits }, { as }))).toMatchObject({
    versionNumber: 2,
  });
  const path = `${owner.username}/first/doc`;
  const diff = await mcp.call("diff_artifact_versions", { artifactId: path, fromVersion: 1, toVersion: 2 }, { as });
  expect(textOf(diff)).toEndWith(": 1 line added and 1 removed between versions 1 and 2.");
  expect(sourceOf(diff)).toContain("-two\n+three\n");
  const read = await mcp.call("get_artifact_content", { artifactId: path }, { as });
  expect(factsOf(read)).toMatchObject({ versionNumber: 2, totalLines: 3 });
  expect(sourceOf(read)).toBe("# One\n\nthree\n");
});

test("whoami with workspaces has a line for each, with its id", async () => {
  const { slug, workspaceId } = await service.setup.team({ [owner.userId]: "admin" });
  const [first = "", second, ...lines] = textOf(await mcp.call("whoami", { workspaces: true }, { as })).split("\n");
  expect(first).toContain(`: you act for ${owner.username} (`);
  expect([second, lines.length]).toEqual(["You belong to 2 workspaces.", 2]);
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^- ${slug} · ".+" · team · admin · plan .+ · ${workspaceId}$`)),
  );
});

test("a text longer than a page says how to go on: at a line, or within one", async () => {
  const { artifactId } = await service.setup.publish(as, (await service.setup.project(as)).slug);
  const read = async (content: string) => {
    await service.setup.call("version.create", { artifactId, content }, { as });
    const { content: said } = await mcp.call("get_artifact_content", { artifactId }, { as });
    return said[0]?.text?.replace(/^\S+ /, "");
  };
  expect(await read("a\nb\n")).toBe("has 2 lines; this is lines 1 to 2.");
  expect(await read(`a\n${"x".repeat(pageCharacters)}`)).toBe(
    "has 2 lines; this is line 1, and the text goes on: send startLine 2 for more.",
  );
  expect(await read("x".repeat(pageCharacters + 1))).toBe(
    `has 1 line; this is line 1, and the text goes on: send startLine 1 and startColumn ${pageCharacters + 1} for more.`,
  );
});

test("every revision answers the same", async () => {
  for (const revision of olderRevisions) {
    const list = await mcp.ask("tools/list", {}, { as, revision });
    expect(list["tools"]).toEqual((await mcp.ask("tools/list", {}, { as }))["tools"]);
    const me = await mcp.call("whoami", {}, { as, revision });
    expect(me.content).toEqual((await mcp.call("whoami", {}, { as })).content);
    expect(me.content).toHaveLength(1);
  }
});

describe("refusals", () => {
  test("are REST's own problem, with the next step of the tool", async () => {
    const problem = problemOf(await mcp.call("get_artifact_access", { artifactId: "art_nothing" }, { as }));
    const rest = await (await service.ask("GET", "/api/artifacts/art_nothing/access", { as })).json();
    expect(problem["hint"]).toContain("search_artifacts");
    expect({ ...problem, hint: "", requestId: "" }).toEqual({ ...(rest as object), hint: "", requestId: "" });
  });

  test("without a credential HTTP says where to get one", async () => {
    const response = await mcp.send("tools/list");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("resource_metadata=");
  });

  test("of an API key's scope are the tool's own, and say how to get a key with it", async () => {
    const key = await service.setup.key(owner.userId, ["artifacts:read"]);
    const answer = await mcp.call("get_artifact_access", { artifactId: "x" }, { as: key });
    expect(problemOf(answer)).toMatchObject({ code: "insufficient_scope" });
    expect(answer.content[0]?.text).toContain("Use a key that has artifacts:access:read");
  });
});
