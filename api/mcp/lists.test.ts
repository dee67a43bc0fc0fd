// Lists continue by a cursor and are short by default; long comparisons report the parts that they omit; the tools
// respect restored and deleted versions too.
import { writeSearchDocuments } from "@plinth/domain/jobs/search-document";
import { detailedOf, factsOf, sourceOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { pageCharacters } from "./read-content.ts";
import { createMcpService, problemOf } from "./test/messages.ts";

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

const lists = [
  ["list_artifact_versions", "version.list", "versions", () => ({ artifactId: artifact.artifactId })],
  ["list_share_links", "shareLink.list", "shareLinks", () => ({ artifactId: artifact.artifactId })],
  ["list_projects", "project.listMine", "projects", () => ({})],
  ["search_artifacts", "artifact.list", "artifacts", () => ({})],
] as const;

describe.each(lists)("%s", (tool, operation, member, given) => {
  const page = async (more: Record<string, unknown> = {}) => {
    const answer = await mcp.call(tool, { ...given(), ...more }, { as });
    const text = textOf(answer);
    const items = text.split("\n").filter((line) => line.startsWith("- "));
    return { items, nextCursor: factsOf(answer).nextCursor, text };
  };

  test("lists ten unless told how many, and says how to go on", async () => {
    const first = await page();
    expect(first.items).toHaveLength(10);
    expect(first.text).toContain("the first 10 ");
    expect(first.text).toEndWith(`For more send cursor "${first.nextCursor}".`);
    const rest = await page({ cursor: first.nextCursor });
    expect({ length: rest.items.length, nextCursor: rest.nextCursor }).toEqual({ length: many - 10, nextCursor: null });
    expect(rest.text).not.toContain("cursor");
    const all = await page({ limit: 100 });
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect(new Set(all.items).size).toBe(many);
  });

  test("in detail is the operation's output as JSON, whole", async () => {
    const limit = 100;
    const detailed = detailedOf(await mcp.call(tool, { ...given(), limit, detail: "detailed" }, { as }));
    const whole = await service.setup.call(operation, { ...given(), limit }, { as });
    expect(detailed).toEqual(JSON.parse(JSON.stringify(whole)) as typeof detailed);
    expect(detailed[member]).toHaveLength(many);
  });

  test("takes 1 to 100", async () => {
    for (const limit of [1, "1"]) expect((await page({ limit })).items).toHaveLength(1);
    for (const limit of [0, 101, 1.5, "1.5", "five"]) {
      const problem = problemOf(await mcp.call(tool, { ...given(), limit }, { as }));
      expect(problem).toMatchObject({ code: "invalid_request", errors: [{ path: "limit" }] });
    }
  });

  test("refuses a cursor that is none", async () => {
    const problem = problemOf(await mcp.call(tool, { ...given(), cursor: "nonsense" }, { as }));
    expect(problem).toMatchObject({ code: "invalid_request", errors: [{ path: "cursor" }] });
  });
});

test("a search quotes each result, with the words that were found between asterisks", async () => {
  const content = "# Tides\n\nThe harbour closes at low tide.";
  const { artifactId, url } = await service.setup.publish(as, project.slug, { title: "Tides", content });
  await writeSearchDocuments(service.setup.db, [artifactId]);
  const answer = await mcp.call("search_artifacts", { q: "harbour low" }, { as });
  expect(answer.content[0]?.text).toStartWith(`http://plinth.test: 1 artifact.\n- ${url} "Tides" · md · v1 · `);
  expect(answer.content[0]?.text).toEndWith(" · public: Tides The **harbour** closes at **low** tide.");
  const listed = await mcp.call("search_artifacts", {}, { as });
  expect(listed.content[0]?.text).not.toContain("**");
});

describe("a comparison", () => {
  async function compared(one: string, two: string) {
    const { artifactId, url } = await service.setup.publish(as, project.slug, { content: one });
    await service.setup.call("version.create", { artifactId, content: two }, { as });
    const answer = await mcp.call("diff_artifact_versions", { artifactId, fromVersion: 1, toVersion: 2 }, { as });
    const diff = sourceOf(answer);
    return { url, text: textOf(answer), diff, hunks: diff.match(/^@@ /gm)?.length ?? 0 };
  }

  test("is a unified diff, with a summary that counts", async () => {
    const { url, text, diff } = await compared("a\nb\nc\n", "a\nB\nc\n");
    expect(text).toBe(`${url}: 1 line added and 1 removed between versions 1 and 2.`);
    expect(diff).toContain("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  });

  test("of the same text is its summary alone", async () => {
    const { url, text, diff } = await compared("same", "same");
    expect([text, diff]).toEqual([`${url}: 0 lines added and 0 removed between versions 1 and 2.`, ""]);
  });

  test("names the files that differ", async () => {
    const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
    const upload = async (text: string) => {
      const { url = "" } = factsOf(
        await mcp.call("create_upload", { sizeBytes: 100 }, { as, id: `upload of ${text}` }),
      );
      const headers = { "content-type": "application/octet-stream" };
      expect((await service.ask("PUT", url.replace("http://plinth.test", ""), { body: text, headers })).status).toBe(
        200,
      );
      return sha256(text);
    };
    const [one, two] = [await upload("one"), await upload("two")];
    const files = (named: Record<string, string>) =>
      Object.entries(named).map(([path, hash]) => ({ path, sha256: hash }));
    const { artifactId, url } = await service.setup.publish(as, project.slug, {
      content: "same",
      files: files({ "a.png": one, "b.png": one }),
    });
    const next = { artifactId, content: "same", files: files({ "b.png": two, "c.png": one }) };
    await service.setup.call("version.create", next, { as });
    const given = { artifactId, fromVersion: 1, toVersion: 2 };
    expect(textOf(await mcp.call("diff_artifact_versions", given, { as }))).toBe(
      `${url}: 0 lines added and 0 removed between versions 1 and 2.\n` +
        "- file added: c.png\n- file removed: a.png\n- file changed: b.png",
    );
  });

  test("that is too long is cut between hunks, and says how many are left out", async () => {
    const long = (mark: string) =>
      Array.from({ length: 600 }, (_, n) => (n % 20 === 0 ? `${mark}${"x".repeat(700)}` : "-")).join("\n");
    const { text, diff, hunks } = await compared(long("a"), long("b"));
    expect(hunks).toBeGreaterThan(0);
    expect(hunks).toBeLessThan(30);
    expect(text).toEndWith(` ${30 - hunks} of its changes are left out here: read both versions' text for them.`);
    expect(diff.length).toBeLessThanOrEqual(pageCharacters);
    // Each hunk is whole: a line of each text, between lines that are the same.
    expect(diff.match(/^-a/gm)).toHaveLength(hunks);
    expect(diff.match(/^\+b/gm)).toHaveLength(hunks);
  });

  test("of one line that alone is too long leaves it out", async () => {
    const { text, diff } = await compared("x".repeat(50_000), "y".repeat(50_000));
    expect(text).toContain(": 1 line added and 1 removed between versions 1 and 2. 1 of its changes are left out here");
    expect(diff).toBe("");
  });
});

describe("what is taken back", () => {
  test("an old version is the newest again, and those between stay", async () => {
    const given = { artifactId: artifact.artifactId, versionNumber: 1 };
    const answer = await mcp.call("restore_artifact_version", given, { as });
    expect(factsOf(answer)).toMatchObject({ versionNumber: many + 1 });
    expect(answer.content[0]?.text).toEndWith("the latest, with the text of version 1.");
    const read = await mcp.call("get_artifact_content", { artifactId: artifact.artifactId }, { as });
    expect([factsOf(read).versionNumber, sourceOf(read)]).toEqual([many + 1, "text 1"]);
  });

  test("a deleted artifact is found by no tool", async () => {
    const { artifactId, url } = await service.setup.publish(as, project.slug);
    const answer = await mcp.call("delete_artifact", { artifactId }, { as });
    expect(textOf(answer)).toBe(
      `${url} is deleted; undelete_artifact with artifactId ${artifactId} restores it for 30 days.`,
    );
    for (const tool of ["get_artifact", "get_artifact_content", "delete_artifact", "list_artifact_versions"])
      expect(problemOf(await mcp.call(tool, { artifactId: url }, { as }))["code"]).toBe("not_found");
  });

  test("a revoked link opens nothing, and revoking it again is no fault", async () => {
    const { artifactId } = await service.setup.publish(as, project.slug, {
      access: { publicView: false, publicEdit: false },
    });
    const { url = "", shareLinkId } = factsOf(
      await mcp.call("create_share_link", { artifactId, role: "viewer" }, { as }),
    );
    const token = url.split("/").at(-1) ?? "";
    const headers = { "x-share-token": token };
    const opened = () => service.ask("GET", `/api/artifacts/${artifactId}`, { headers });
    expect((await opened()).status).toBe(200);
    for (const _ of ["once", "again"])
      expect(textOf(await mcp.call("revoke_share_link", { shareLinkId }, { as }))).toEndWith(
        " can no longer be opened by that link.",
      );
    expect((await opened()).status).toBe(404);
    const listed = textOf(await mcp.call("list_share_links", { artifactId }, { as }));
    expect(listed).toMatch(new RegExp(`\\n- ${String(shareLinkId)} · viewer · revoked \\d{4}-`));
    expect(listed).not.toContain(token);
  });
});
