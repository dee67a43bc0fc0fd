// Files by MCP: a one-time URL, a text and files that are published by their hashes, and the list of them.
import { afterAll, describe, expect, test } from "bun:test";

import { closeThreads } from "@plinth/domain/threads/pool";
import { factsOf, textOf } from "@plinth/support/mcp-text";
import { zipOf, type ZipPart } from "@plinth/support/zip-of";

import { origin } from "../test/service.ts";
import { createMcpService, problemOf } from "./test/messages.ts";

const { service, mcp, owner, as } = await createMcpService();
const projectSlug = (await service.setup.project(as)).slug;
afterAll(async () => {
  await closeThreads();
  await service.close();
});

/** Uploads a text as an agent does; its hash. */
async function upload(text: string, more: Record<string, unknown> = {}, by = as): Promise<string> {
  const { url = "" } = factsOf(await mcp.call("create_upload", { sizeBytes: 1000, ...more }, { as: by }));
  const headers = { "content-type": "application/octet-stream" };
  const answer = await service.ask("PUT", url.slice(origin.length), { body: text, headers });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { sha256: string }).sha256;
}

const wanted = (more: Record<string, unknown>) => ({
  projectSlug,
  slug: service.setup.name("by-mcp"),
  type: "md",
  title: "T",
  access: { publicView: true, publicEdit: false },
  ...more,
});
const contentOf = async (artifactId: unknown) =>
  (await service.ask("GET", `/api/artifacts/${String(artifactId)}/content`, { as })).text();
const filesOf = async (artifactId: unknown) =>
  textOf(await mcp.call("get_artifact_preview", { artifactId }, { as }))
    .split("\n")
    .filter((line) => line.startsWith("- file "));

test("the text has the URL, when it ends, and how to send the file", async () => {
  const text = textOf(await mcp.call("create_upload", { sizeBytes: 12 }, { as }));
  expect(text).toMatch(/^http:\/\/plinth\.test\/\S+ takes one PUT until \d\d:\d\dZ and answers with its sha256\.$/);
});

test("the same request is another URL each time; with an Idempotency-Key it is shown once", async () => {
  const given = { sizeBytes: 12 };
  const [one, other] = [await mcp.call("create_upload", given, { as }), await mcp.call("create_upload", given, { as })];
  expect(factsOf(one).url).not.toBe(factsOf(other).url);
  const headers = { "idempotency-key": "one-upload" };
  expect(textOf(await mcp.call("create_upload", given, { as, headers }))).toContain(" takes one PUT ");
  expect(textOf(await mcp.call("create_upload", given, { as, headers }))).toBe(
    "http://plinth.test has shown the URL of this upload once: make another.",
  );
});

test("text and files are published by their hashes, updated, and listed", async () => {
  const files = [{ path: "img/a.png", sha256: await upload("a picture") }];
  const given = wanted({ contentSha256: await upload("# One\n"), files, documentPath: "guide/one.md" });
  const { artifactId } = factsOf(await mcp.call("create_artifact", given, { as }));
  expect(await contentOf(artifactId)).toBe("# One\n");
  expect(await filesOf(artifactId)).toEqual(["- file img/a.png, 9 bytes"]);
  const update = { artifactId, contentSha256: await upload("# Two\n"), files: [] };
  expect(factsOf(await mcp.call("update_artifact", update, { as }))).toMatchObject({ versionNumber: 2 });
  expect(await contentOf(artifactId)).toBe("# Two\n");
  expect(await filesOf(artifactId)).toEqual([]);
});

describe("ifExists update", () => {
  test("publishes other files, and nothing where text and files are the same", async () => {
    const [one, other] = [await upload("one picture"), await upload("another picture")];
    const given = wanted({ contentSha256: await upload("# Same\n"), documentPath: "a/b.md", ifExists: "update" });
    const publish = async (more: object) => {
      const { action, versionNumber } = factsOf(await mcp.call("create_artifact", { ...given, ...more }, { as }));
      return [action, versionNumber];
    };
    expect(await publish({ files: [{ path: "a.png", sha256: one }] })).toEqual(["created", 1]);
    expect(await publish({ files: [{ path: "a.png", sha256: one }] })).toEqual(["unchanged", 1]);
    expect(await publish({})).toEqual(["unchanged", 1]);
    expect(await publish({ files: [{ path: "a.png", sha256: other }] })).toEqual(["updated", 2]);
    expect(await publish({ files: [{ path: "a.png", sha256: other }], documentPath: "c.md" })).toEqual(["updated", 3]);
    expect(await publish({ contentSha256: undefined, content: "# Same\n", files: [] })).toEqual(["updated", 4]);
    expect(await publish({ contentSha256: undefined, content: "# Same\n", files: [] })).toEqual(["unchanged", 4]);
    expect(await publish({ contentSha256: await upload("# Next\n") })).toEqual(["updated", 5]);
  });
});

test("an editor from outside uploads to the artifact, by its address", async () => {
  const access = { publicView: true, publicEdit: true };
  const { artifactId, slug } = await service.setup.publish(as, projectSlug, { access });
  const guest = await service.setup.person();
  const address = `${owner.username}/${projectSlug}/${slug}`;
  const contentSha256 = await upload("by a guest", { artifactId: address }, guest.token);
  const update = { artifactId: address, contentSha256 };
  expect(factsOf(await mcp.call("update_artifact", update, { as: guest.token }))).toMatchObject({ versionNumber: 2 });
  expect(await contentOf(artifactId)).toBe("by a guest");
  // The guest's own workspace is another scope.
  const own = { artifactId, contentSha256: await upload("of the guest", {}, guest.token) };
  expect(problemOf(await mcp.call("update_artifact", own, { as: guest.token }))).toMatchObject({
    code: "invalid_request",
    errors: [{ path: "contentSha256" }],
  });
});

test.each([
  [{ sizeBytes: 1, artifactId: 7 }, "artifactId"],
  [{ sizeBytes: 1, artifactId: "a/b/c", ownerUsername: "a" }, "ownerUsername"],
  [{ sizeBytes: 1, workspaceId: "wsp_x" }, "workspaceId"],
  [{}, "sizeBytes"],
])("%p is refused by the name of the argument", async (given, path) => {
  const problem = problemOf(await mcp.call("create_upload", given, { as }));
  expect(problem).toMatchObject({ code: "invalid_request", errors: [{ path }] });
});

test("a list of more than 50 files says how many it leaves out", async () => {
  const sha256 = await upload("many");
  const files = Array.from({ length: 53 }, (_, n) => ({ path: `${n}.txt`, sha256 }));
  const { artifactId } = await service.setup.publish(as, projectSlug, { files });
  expect(await filesOf(artifactId)).toHaveLength(50);
  const preview = await mcp.call("get_artifact_preview", { artifactId }, { as });
  expect(textOf(preview)).toEndWith("\n3 more are left out.");
});

test("a zip of a folder is published with its files, is its next version, and is unchanged the third time", async () => {
  const zipped = async (parts: readonly ZipPart[]) => {
    const bytes = zipOf(parts);
    const { url = "" } = factsOf(await mcp.call("create_upload", { sizeBytes: bytes.length }, { as }));
    const headers = { "content-type": "application/zip" };
    const answer = await service.ask("PUT", url.slice(origin.length), { body: bytes, headers });
    return ((await answer.json()) as { sha256: string }).sha256;
  };
  const report = [
    { name: "index.html", content: "<h1>Report</h1>" },
    { name: "data/1.csv", content: "1" },
    { name: "tool.exe", content: "x" },
  ];
  const given = wanted({ type: "html", archiveSha256: await zipped(report), ifExists: "update" });
  const created = textOf(await mcp.call("create_artifact", given, { as }));
  expect(created).toContain(" is published as version 1, ");
  expect(created).toEndWith(' 1 file of the archive was not taken: "tool.exe" (files of its type are not published).');
  const { artifactId, action } = factsOf(await mcp.call("create_artifact", given, { as }));
  expect(action).toBe("unchanged");
  expect(await filesOf(artifactId)).toEqual([expect.stringContaining("data/1.csv")]);
  const next = { ...given, archiveSha256: await zipped([...report, { name: "data/2.csv", content: "2" }]) };
  const updated = await mcp.call("create_artifact", next, { as });
  expect([factsOf(updated).action, textOf(updated)]).toEqual([
    "updated",
    expect.stringContaining("this is its version 2."),
  ]);
  const version = { artifactId, archiveSha256: await zipped(report.slice(0, 1)) };
  expect(textOf(await mcp.call("update_artifact", version, { as }))).toEndWith(" is version 3, the latest.");
  expect(await filesOf(artifactId)).toEqual([]);
});
