// Arguments as models write them: accepted where they have only one meaning, otherwise refused with what to send.
import { factsOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { createMcpService, modernRevision, olderRevisions, problemOf } from "./test/messages.ts";

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

describe("a project", () => {
  const name = `${owner.username}/${project.slug}`;
  const access = { publicView: true, publicEdit: false };
  const report = { type: "md", title: "X", content: "x", access };

  test("is found by owner/project where its slug is meant", async () => {
    const made = await mcp.call("create_artifact", { ...report, projectSlug: name, slug: "by-name" }, { as });
    expect(factsOf(made).url).toEndWith(`/${name}/by-name`);
    const given = { ...report, projectSlug: name, ownerUsername: "somebody-else", slug: "x" };
    expect((await refused("create_artifact", given)).problem).toMatchObject({
      errors: [{ path: "projectSlug", message: "names another owner than ownerUsername" }],
    });
    expect(textOf(await mcp.call("search_artifacts", { project: name }, { as }))).toContain("/by-name ");
  });

  test.each([
    ["owner/project", () => name],
    ["a URL", () => `${project.url}/`],
    ["a URL without its scheme", () => project.url.replace(/^http:\/\//, "")],
    ["its id with spaces around it", () => ` ${project.projectId}\n`],
  ])("is found by %s where its id is meant", async (_, written) => {
    const answer = await mcp.call("update_project", { projectId: written(), title: "Reports" }, { as });
    expect(textOf(answer)).toEndWith(` is now the project "Reports" at ${name}.`);
  });

  test("that there is not is named by an empty search", async () => {
    const found = async (given: object) => textOf(await mcp.call("search_artifacts", { ...given }, { as }));
    expect(await found({ owner: "nobody-here" })).toEndWith(
      '0 artifacts. Nothing that you may see is under owner "nobody-here": there may be no such name. ' +
        "list_projects has those that there are.",
    );
    expect(await found({ project: "nobody/here", q: "tides" })).toContain(
      'under owner "nobody" and project "here"; check',
    );
    expect(await found({ q: "zzzzqqq" })).toEndWith("0 artifacts.");
  });
});

test("null and an empty text leave an optional argument out, also all of them", async () => {
  const given = { owner: null, project: "", cursor: "", limit: null, detail: null, type: "", since: "" };
  expect(await mcp.call("search_artifacts", given, { as })).toEqual(await mcp.call("search_artifacts", {}, { as }));
  for (const revision of [modernRevision, ...olderRevisions] as const)
    expect(await mcp.ask("tools/call", { name: "list_projects", arguments: null }, { as, revision })).toMatchObject({
      content: [{ text: expect.stringContaining("/dashboard: ") }],
    });
  const slug = `without-${Date.now()}`;
  const access = { publicView: true, publicEdit: false };
  const made = { projectSlug: project.slug, slug, type: "md", title: "X", content: "x", access };
  const answer = await mcp.call(
    "create_artifact",
    { ...made, description: null, files: null, contentSha256: "" },
    { as },
  );
  expect(factsOf(answer).url).toEndWith(`/${slug}`);
  expect((await refused("get_artifact", { artifactId: null })).problem).toMatchObject({ code: "invalid_request" });
});

test("a description is removed by null", async () => {
  await mcp.call("update_artifact_details", { artifactId, description: "Words" }, { as });
  await mcp.call("update_artifact_details", { artifactId, description: null }, { as });
  expect((await service.setup.call("artifact.get", { artifactId }, { as })).description).toBeNull();
});

test("a list of one text is taken as that text", async () => {
  const answer = await mcp.call("set_artifact_access", { artifactId, viewerEmails: "bo@example.com" }, { as });
  expect(textOf(answer)).toContain("bo@example.com");
});

test("a date is a time, and the answer says which day it is", async () => {
  const answer = await mcp.call("create_share_link", { artifactId, role: "viewer", expiresAt: "2099-12-04" }, { as });
  expect(textOf(answer)).toContain(" until Friday 2099-12-04 23:59Z.");
  expect(textOf(await mcp.call("search_artifacts", { since: "2099-12-04" }, { as }))).toContain("0 artifacts");
  expect(textOf(await mcp.call("search_artifacts", { until: "2099-12-04" }, { as }))).not.toContain(" 0 artifacts");
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

test("restoring without a version takes back the last change", async () => {
  const made = await service.setup.publish(as, project.slug, { content: "one" });
  const restore = (more = {}) => mcp.call("restore_artifact_version", { artifactId: made.artifactId, ...more }, { as });
  expect(problemOf(await restore())).toMatchObject({ code: "invalid_request", errors: [{ path: "versionNumber" }] });
  for (const content of ["two", "three"])
    await service.setup.call("version.create", { artifactId: made.artifactId, content }, { as });
  expect(textOf(await restore({ versionNumber: null }))).toEndWith(
    " is version 4, the latest, with the text of version 2.",
  );
});

test("a deleted artifact is restored by the address that it had", async () => {
  const deleted = async (title: string) => {
    const made = await service.setup.publish(as, project.slug, { slug: "gone", title });
    await service.setup.call("artifact.delete", { artifactId: made.artifactId }, { as });
    return made;
  };
  const undelete = (named: string) => mcp.call("undelete_artifact", { artifactId: named }, { as });
  const { artifactId: gone, url: address } = await deleted("Gone");
  expect(textOf(await undelete(`${owner.username}/${project.slug}/gone`))).toStartWith(`${address} is restored`);
  await service.setup.call("artifact.delete", { artifactId: gone }, { as });
  const other = await deleted("Gone again");
  expect((await refused("undelete_artifact", { artifactId: address })).problem).toMatchObject({
    errors: [{ path: "artifactId", message: expect.stringContaining(`${other.artifactId} ("Gone again")`) }],
  });
  expect(textOf(await undelete(other.artifactId))).toStartWith(`${address} is restored`);
  expect((await refused("undelete_artifact", { artifactId: `${owner.username}/nothing/here` })).problem).toMatchObject({
    code: "not_found",
  });
});
