// Lists continue by a cursor and are short by default; long comparisons report the parts that they omit; the tools
// respect restored and deleted versions too.
import { writeSearchDocuments } from "@plinth/domain/jobs/search-document";
import { afterAll, describe, expect, test } from "bun:test";

import { pageCharacters } from "./read-content.ts";
import { createMcpService, problemOf, valueOf } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
const many = 13;
const project = await service.setup.project(as);
const artifact = await service.setup.publish(as, project.slug, { content: "text 1" });
const { artifactId } = artifact;
for (let n = 2; n <= many; n++)
  await service.setup.call("version.create", { artifactId, content: `text ${n}` }, { as });
for (let n = 1; n <= many; n++) await service.setup.call("shareLink.create", { artifactId, role: "viewer" }, { as });
for (let n = 2; n <= many; n++) await service.setup.publish(as, project.slug);
for (let n = 2; n <= many; n++) await service.setup.project(as);
afterAll(() => service.close());

type Item = Record<string, unknown>;

const lists = [
  ["list_artifact_versions", "versions", () => ({ artifactId: artifact.artifactId })],
  ["list_share_links", "shareLinks", () => ({ artifactId: artifact.artifactId })],
  ["list_projects", "projects", () => ({})],
  ["search_artifacts", "artifacts", () => ({})],
] as const;

describe.each(lists)("%s", (tool, member, given) => {
  const page = async (more: Record<string, unknown> = {}) => {
    const answer = await mcp.call(tool, { ...given(), ...more }, { as });
    const { [member]: items, nextCursor } = valueOf(answer) as Record<string, Item[]> & { nextCursor: string | null };
    return { items: items ?? [], nextCursor, text: answer.content[0]?.text ?? "" };
  };

  test("lists ten unless told how many, and says how to go on", async () => {
    const first = await page();
    expect(first.items).toHaveLength(10);
    expect(first.text).toContain("the first 10 ");
    expect(first.text).toEndWith(`For more send cursor "${first.nextCursor}".`);
    expect(first.text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(10);
    const rest = await page({ cursor: first.nextCursor });
    expect({ length: rest.items.length, nextCursor: rest.nextCursor }).toEqual({ length: many - 10, nextCursor: null });
    expect(rest.text).not.toContain("cursor");
    const all = await page({ limit: 100 });
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect(new Set(all.items.map((item) => JSON.stringify(item))).size).toBe(many);
  });

  test("takes 1 to 100", async () => {
    for (const limit of [1, "1"]) expect((await page({ limit })).items).toHaveLength(1);
    for (const limit of [0, 101, 1.5, "1.5", "five", null]) {
      const problem = problemOf(await mcp.call(tool, { ...given(), limit }, { as }));
      expect(problem).toMatchObject({ code: "invalid_request", errors: [{ path: "limit" }] });
    }
  });

  test("refuses a cursor that is none", async () => {
    const problem = problemOf(await mcp.call(tool, { ...given(), cursor: "nonsense" }, { as }));
    expect(problem).toMatchObject({ code: "invalid_request", errors: [{ path: "cursor" }] });
  });
});

test("a search quotes each result, in its text for readers of text, and in parts", async () => {
  const content = "# Tides\n\nThe harbour closes at low tide.";
  const { artifactId, url } = await service.setup.publish(as, project.slug, { title: "Tides", content });
  await writeSearchDocuments(service.setup.db, [artifactId]);
  const answer = await mcp.call("search_artifacts", { q: "harbour low" }, { as });
  expect(answer.content[0]?.text).toStartWith(`http://plinth.test: 1 artifact.\n- ${url} "Tides" · md · v1 · `);
  expect(answer.content[0]?.text).toEndWith(" · public: Tides The **harbour** closes at **low** tide.");
  expect(valueOf(answer)).toMatchObject({
    artifacts: [{ artifactId, matchedIn: ["text"], score: expect.any(Number), snippet: expect.any(Array) }],
  });
  const listed = await mcp.call("search_artifacts", {}, { as });
  expect(listed.content[0]?.text).not.toContain("**");
});

describe("a comparison", () => {
  async function compared(one: string, two: string) {
    const { artifactId, url } = await service.setup.publish(as, project.slug, { content: one });
    await service.setup.call("version.create", { artifactId, content: two }, { as });
    const answer = await mcp.call("diff_artifact_versions", { artifactId, fromVersion: 1, toVersion: 2 }, { as });
    return {
      url,
      value: valueOf(answer) as { hunks: unknown[]; leftOut?: number; stats: object },
      content: answer.content,
    };
  }

  test("is hunks and a unified diff, with a summary that counts", async () => {
    const { url, value, content } = await compared("a\nb\nc\n", "a\nB\nc\n");
    expect(value).toMatchObject({ stats: { additions: 1, deletions: 1 } });
    expect(value.leftOut).toBeUndefined();
    expect(content[0]?.text).toBe(`${url}: 1 line added and 1 removed between versions 1 and 2.`);
    expect(content[1]?.text).toContain("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  });

  test("of the same text has no hunks", async () => {
    expect((await compared("same", "same")).value).toMatchObject({ hunks: [], stats: { additions: 0, deletions: 0 } });
  });

  test("that is too long is cut between hunks and between lines, and says how many are left out", async () => {
    const text = (mark: string) =>
      Array.from({ length: 600 }, (_, n) => (n % 20 === 0 ? `${mark}${"x".repeat(700)}` : "-")).join("\n");
    const { value, content } = await compared(text("a"), text("b"));
    expect(value.hunks.length + (value.leftOut ?? 0)).toBe(30);
    expect(value.leftOut).toBeGreaterThan(0);
    expect(value.hunks.length).toBeGreaterThan(0);
    expect(JSON.stringify(value.hunks).length).toBeLessThan(2 * pageCharacters);
    expect(content[0]?.text).toContain(`${value.leftOut} of its changes are left out here`);
    const { text: unified = "" } = content[1] ?? {};
    expect(unified.length).toBeLessThanOrEqual(pageCharacters);
    expect(unified).toEndWith("\n");
  });

  test("of one line that alone is too long leaves it out", async () => {
    const { value, content } = await compared("x".repeat(50_000), "y".repeat(50_000));
    expect(value).toMatchObject({ hunks: [], leftOut: 1, stats: { additions: 1, deletions: 1 } });
    expect(content[1]?.text?.length).toBeLessThanOrEqual(pageCharacters);
  });
});

describe("what is taken back", () => {
  test("an old version is the newest again, and those between stay", async () => {
    const given = { artifactId: artifact.artifactId, versionNumber: 1 };
    const answer = await mcp.call("restore_artifact_version", given, { as });
    expect(valueOf(answer)).toMatchObject({ versionNumber: many + 1 });
    expect(answer.content[0]?.text).toEndWith("the latest, with the text of version 1.");
    const read = await mcp.call("get_artifact_content", { artifactId: artifact.artifactId }, { as });
    expect([valueOf(read)["versionNumber"], read.content[1]?.text]).toEqual([many + 1, "text 1"]);
  });

  test("a deleted artifact is found by no tool", async () => {
    const { artifactId, url } = await service.setup.publish(as, project.slug);
    const answer = await mcp.call("delete_artifact", { artifactId }, { as });
    expect(valueOf(answer)).toEqual({});
    expect(answer.content[0]?.text).toBe(
      `${url} is deleted; undelete_artifact with artifactId ${artifactId} restores it for 30 days.`,
    );
    for (const tool of ["get_artifact", "get_artifact_content", "delete_artifact", "list_artifact_versions"])
      expect(problemOf(await mcp.call(tool, { artifactId: url }, { as }))["code"]).toBe("not_found");
  });

  test("a revoked link opens nothing, and revoking it again is no fault", async () => {
    const { artifactId } = await service.setup.publish(as, project.slug, {
      access: { publicView: false, publicEdit: false },
    });
    const made = valueOf(await mcp.call("create_share_link", { artifactId, role: "viewer" }, { as }));
    const headers = { "x-share-token": String(made["token"]) };
    const opened = () => service.ask("GET", `/api/artifacts/${artifactId}`, { headers });
    expect((await opened()).status).toBe(200);
    for (const _ of ["once", "again"])
      expect(valueOf(await mcp.call("revoke_share_link", { shareLinkId: made["shareLinkId"] }, { as }))).toEqual({});
    expect((await opened()).status).toBe(404);
    const listed = valueOf(await mcp.call("list_share_links", { artifactId }, { as })) as { shareLinks: Item[] };
    expect(listed.shareLinks[0]?.["revokedAt"]).toMatch(/Z$/);
    expect(JSON.stringify(listed)).not.toContain(String(made["token"]));
  });
});
