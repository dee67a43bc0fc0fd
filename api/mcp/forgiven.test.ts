// Arguments as models write them: accepted where they have only one meaning, otherwise refused with what to send.
import { factsOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { createMcpService, problemOf } from "./test/messages.ts";

const { service, mcp, owner, as } = await createMcpService();
const project = await service.setup.project(as);
const { artifactId, slug, url } = await service.setup.publish(as, project.slug, { content: "one\ntwo\ntwo\n" });
afterAll(() => service.close());

const refused = async (tool: string, given: Record<string, unknown>) => {
  const answer = await mcp.call(tool, given, { as });
  return { text: answer.content[0]?.text ?? "", problem: problemOf(answer) };
};

describe("an artifact", () => {
  test.each([
    ["an id in capitals", () => artifactId.toUpperCase()],
    ["a resource's URI", () => `artifact://${artifactId}/v/1`],
    ["a URL without its scheme", () => url.replace(/^http:\/\//, "")],
    ["a path from the root", () => `/${owner.username}/${project.slug}/${slug}`],
    ["a path with a version", () => `${owner.username}/${project.slug}/${slug}?v=1`],
    ["a URL with spaces around it", () => ` ${url}\n`],
  ])("is found by %s", async (_, name) => {
    expect(factsOf(await mcp.call("get_artifact_content", { artifactId: name() }, { as })).url).toBe(`${url}?v=1`);
  });

  test("named by its slug alone is refused with what to send", async () => {
    const { text } = await refused("get_artifact", { artifactId: slug });
    expect(text).toBe(
      "not_found: There is nothing here, or you may not see it. Send its id (art_…), its URL, or owner/project/slug; " +
        "search_artifacts finds artifacts.",
    );
  });

  test("named by a share link's token is refused with what to ask for", async () => {
    const { problem } = await refused("get_artifact", { artifactId: "pls_abc" });
    expect(problem).toMatchObject({ code: "invalid_request", errors: [{ path: "artifactId" }] });
    expect(problem["detail"]).toContain("is a share link");
  });
});

test("a missing project is refused with the tool that creates it", async () => {
  const access = { publicView: true, publicEdit: false };
  const given = { projectSlug: "nowhere", slug: "x", type: "md", title: "X", content: "x", access };
  expect((await refused("create_artifact", given)).text).toEndWith("or create the project with create_project.");
});

test("a version that does not exist is refused with the latest", async () => {
  const given = { artifactId, versionNumber: 99 };
  for (const tool of ["get_artifact_content", "get_artifact_preview", "restore_artifact_version"])
    expect((await refused(tool, given)).text).toMatch(
      /^not_found: The artifact has no such version; the latest is 1\./,
    );
  const compared = await refused("diff_artifact_versions", { artifactId, fromVersion: 1, toVersion: 99 });
  expect(compared.text).toContain("the latest is 1");
});

describe("fields", () => {
  test("are taken by the names that REST has", async () => {
    expect(factsOf(await mcp.call("get_artifact_content", { artifactId, version: 1 }, { as }))).toMatchObject({
      versionNumber: 1,
    });
    const compared = await mcp.call("diff_artifact_versions", { artifactId, from: 1, to: "1" }, { as });
    expect(textOf(compared)).toEndWith(" between versions 1 and 1.");
  });

  test("at fault are named as the caller wrote them", async () => {
    const errors = async (given: Record<string, unknown>) =>
      (await refused("get_artifact_content", { artifactId, ...given })).problem["errors"];
    expect(await errors({ version: 0 })).toMatchObject([{ path: "version" }]);
    expect(await errors({ versionNumber: 0 })).toMatchObject([{ path: "versionNumber" }]);
  });

  test("that are unknown are refused with those that are like them, or all", async () => {
    expect((await refused("edit_artifact", { artifactId, edit: [] })).text).toContain("did you mean edits?");
    expect((await refused("search_artifacts", { words: "x" })).text).toContain("the fields are ");
  });

  test("at fault are each on a line of the text", async () => {
    const { text } = await refused("search_artifacts", { limit: 0, type: "pdf" });
    expect(text.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^- \w+: must be/),
      expect.stringMatching(/^- \w+: must be/),
    ]);
  });
});

describe("edits", () => {
  test.each([
    ["one object", (edit: object) => edit],
    ["a list as text", (edit: object) => JSON.stringify([edit])],
    ["one object as text", (edit: object) => JSON.stringify(edit)],
  ])("are taken as %s, and a number as text", async (_, written) => {
    const made = await service.setup.publish(as, project.slug, { content: "one" });
    const edits = written({ oldText: "one", newText: "three" });
    const given = { artifactId: made.artifactId, edits, expectedLatestVersion: "1" };
    expect(factsOf(await mcp.call("edit_artifact", given, { as }))).toMatchObject({ versionNumber: 2 });
  });

  test("as text that is no JSON, or too deep, are refused", async () => {
    for (const edits of ["one -> two", "[", `${"[".repeat(50)}${"]".repeat(50)}`, '"x"'])
      expect((await refused("edit_artifact", { artifactId, edits })).problem).toMatchObject({
        code: "invalid_request",
        errors: [{ path: "edits" }],
      });
  });

  test("say where a text occurs, or the closest line, and replaceAll replaces every place", async () => {
    const edit = (oldText: string, more = {}) => ({ artifactId, edits: [{ oldText, newText: "2", ...more }] });
    expect((await refused("edit_artifact", edit("two"))).text).toContain("occurs 2 times in the text (lines 2, 3)");
    expect((await refused("edit_artifact", edit("twoo"))).text).toContain('the closest line is 2: "two"');
    expect(factsOf(await mcp.call("edit_artifact", edit("two", { replaceAll: true }), { as }))).toMatchObject({
      versionNumber: 2,
    });
    const read = await mcp.call("get_artifact_content", { artifactId }, { as });
    expect(read.content[1]?.text).toBe("one\n2\n2\n");
  });
});
