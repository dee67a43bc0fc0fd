// A write that is sent again runs once, and no other write is mistaken for it.
import { factsOf, textOf, textsOf } from "@plinth/support/mcp-text";
import { afterAll, beforeEach, describe, expect, test } from "bun:test";

import { tokenHash } from "@plinth/domain/tokens/token";

import { createMcpService, problemOf, type Sent } from "./test/messages.ts";

const { service, mcp, owner } = await createMcpService();
let id = 0;
let artifactId: string;
const projectSlug = (await service.setup.project(owner.token)).slug;
beforeEach(async () => {
  ({ artifactId } = await service.setup.publish(owner.token, projectSlug, { content: "# One\n" }));
  // Each test counts from another number.
  id += 100;
});
afterAll(() => service.close());

const access = { publicView: true, publicEdit: false };
const wanted = (slug: string, content = "# Made\n") => ({
  projectSlug,
  slug,
  type: "md",
  title: "Made",
  content,
  access,
});
const write = (content: string, sent: Sent = {}) =>
  mcp.call("update_artifact", { artifactId, content }, { as: owner.token, id, ...sent });
const versions = async (of = artifactId) =>
  (await service.setup.call("version.list", { artifactId: of }, { as: owner.token })).versions.length;

/** Ages all writes so far. */
const later = (seconds: number) =>
  service.setup.db.run("UPDATE idempotency SET created_at = created_at - make_interval(secs => $1)", [seconds]);

describe("by the number of its request", () => {
  test("the same once more is the same answer, and one version", async () => {
    const first = await write("# Two\n");
    for (const revision of ["2026-07-28", "2025-11-25", "2025-06-18"] as const)
      expect(await write("# Two\n", { revision })).toMatchObject({ content: first.content });
    expect(factsOf(first)).toMatchObject({ versionNumber: 2 });
    expect(await versions()).toBe(2);
  });

  test("another body under the number is another write", async () => {
    await write("# Two\n");
    expect(factsOf(await write("# Three\n"))).toMatchObject({ versionNumber: 3 });
  });

  test("the same under another number is another write", async () => {
    await write("# Two\n");
    expect(factsOf(await write("# Two\n", { id: id + 1 }))).toMatchObject({ versionNumber: 3 });
    expect(factsOf(await write("# Two\n", { id: String(id) }))).toMatchObject({ versionNumber: 4 });
  });

  test("another tool under the number is another write", async () => {
    await mcp.call("restore_artifact_version", { artifactId, versionNumber: 1 }, { as: owner.token, id });
    const edits = [{ oldText: "One", newText: "1" }];
    await mcp.call("edit_artifact", { artifactId, edits }, { as: owner.token, id });
    expect(await versions()).toBe(3);
  });

  test("a publish is one artifact, an edit one edit", async () => {
    const slug = service.setup.name("once");
    const [first, second] = [
      factsOf(await mcp.call("create_artifact", wanted(slug), { as: owner.token, id })),
      factsOf(await mcp.call("create_artifact", wanted(slug), { as: owner.token, id })),
    ];
    expect(second).toEqual(first);
    expect(first).toMatchObject({ action: "created" });
    const edits = [{ oldText: "One", newText: "One and One" }];
    for (const _ of ["once", "and again"])
      expect(factsOf(await mcp.call("edit_artifact", { artifactId, edits }, { as: owner.token, id }))).toMatchObject({
        versionNumber: 2,
      });
  });

  test("an update of what is there is one version, however often it is sent", async () => {
    const slug = service.setup.name("there");
    const there = await service.setup.publish(owner.token, projectSlug, { slug, content: "# Old\n" });
    const given = { ...wanted(slug, "# New\n"), ifExists: "update" };
    const actions: unknown[] = [];
    for (const _ of ["first", "second", "third"])
      actions.push(factsOf(await mcp.call("create_artifact", given, { as: owner.token, id })).action);
    expect(actions).toEqual(["updated", "unchanged", "unchanged"]);
    expect(await versions(there.artifactId)).toBe(2);
  });

  test("a short number can be used again after half a minute; a unique one is remembered for a day", async () => {
    const unique = `request-${id}-0123456789`;
    await write("# Two\n");
    await write("# Unique\n", { id: unique });
    expect(await versions()).toBe(3);
    await later(31);
    expect(factsOf(await write("# Two\n"))).toMatchObject({ versionNumber: 4 });
    expect(factsOf(await write("# Unique\n", { id: unique }))).toMatchObject({ versionNumber: 3 });
    await later(24 * 60 * 60);
    expect(factsOf(await write("# Unique\n", { id: unique }))).toMatchObject({ versionNumber: 5 });
  });

  test("of fifteen characters is taken for a count, of sixteen for a unique number", async () => {
    const [short, long] = [String(id).padStart(15, "a"), String(id).padStart(16, "b")];
    await write("# Short\n", { id: short });
    await write("# Long\n", { id: long });
    await later(31);
    await write("# Short\n", { id: short });
    await write("# Long\n", { id: long });
    expect(await versions()).toBe(4);
  });

  test("two callers never share one", async () => {
    const agent = await service.setup.key(owner.userId);
    expect(factsOf(await write("# Two\n"))).toMatchObject({ versionNumber: 2 });
    expect(factsOf(await write("# Two\n", { as: agent }))).toMatchObject({ versionNumber: 3 });
    const stranger = await service.setup.person();
    expect(problemOf(await write("# Two\n", { as: stranger.token }))).toMatchObject({ code: "forbidden" });
    const headers = { "idempotency-key": "shared by two" };
    await write("# Four\n", { headers });
    expect(factsOf(await write("# Four\n", { as: agent, headers }))).toMatchObject({ versionNumber: 5 });
  });

  test("a refused write may be sent again, and is then done", async () => {
    const slug = service.setup.name("later");
    const given = { ...wanted("x"), projectSlug: slug, slug: "doc" };
    expect(problemOf(await mcp.call("create_artifact", given, { as: owner.token, id }))).toMatchObject({
      code: "not_found",
    });
    await service.setup.call("project.create", { slug, title: "Later", icon: "l" }, { as: owner.token });
    expect(factsOf(await mcp.call("create_artifact", given, { as: owner.token, id }))).toMatchObject({
      action: "created",
    });
  });

  test("what may no longer be done is not answered from memory", async () => {
    const key = await service.setup.key(owner.userId);
    await write("# Two\n", { as: key });
    await service.setup.db.run("UPDATE credential SET scopes = '{artifacts:read}' WHERE hash = decode($1, 'hex')", [
      tokenHash(key),
    ]);
    expect(problemOf(await write("# Two\n", { as: key }))).toMatchObject({ code: "insufficient_scope" });
    expect(await versions()).toBe(2);
  });

  test("ten at once are one write and ten answers", async () => {
    const given = wanted(service.setup.name("ten"));
    const rows = await service.setup.count("artifact");
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => mcp.call("create_artifact", given, { as: owner.token, id })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(textsOf(answer)))).size).toBe(1);
    expect(await service.setup.count("artifact")).toBe(rows + 1);
    const updates = await Promise.all(Array.from({ length: 10 }, () => write("# Ten\n")));
    expect(new Set(updates.map((answer) => factsOf(answer).versionNumber))).toEqual(new Set([2]));
    expect(await versions()).toBe(2);
  });

  test("ten updates at once of what is there are one version", async () => {
    const slug = service.setup.name("ten-there");
    const there = await service.setup.publish(owner.token, projectSlug, { slug, content: "# Old\n" });
    const given = { ...wanted(slug, "# New\n"), ifExists: "update" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => mcp.call("create_artifact", given, { as: owner.token, id })),
    );
    for (const answer of answers) expect(factsOf(answer)).toMatchObject({ versionNumber: 2 });
    expect(await versions(there.artifactId)).toBe(2);
  });

  test("a batch that says the same twice says it once", async () => {
    const call = {
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "update_artifact", arguments: { artifactId, content: "# B\n" } },
    };
    await service.ask("POST", "/mcp", {
      as: owner.token,
      body: [call, call],
      headers: { accept: "application/json, text/event-stream" },
    });
    await write("# C\n");
    expect(await versions()).toBe(3);
  });

  test("what only reads leaves nothing behind", async () => {
    const rows = await service.setup.count("idempotency");
    await mcp.call("get_artifact", { artifactId }, { as: owner.token, id });
    await mcp.call("set_artifact_access", { artifactId, ...access, viewerEmails: [] }, { as: owner.token, id });
    expect(await service.setup.count("idempotency")).toBe(rows);
  });
});

describe("by Idempotency-Key", () => {
  test("the same request again gets the same answer, also with another number", async () => {
    const headers = { "idempotency-key": `key-${id}` };
    await write("# Two\n", { headers });
    await later(31);
    expect(factsOf(await write("# Two\n", { headers, id: id + 1 }))).toMatchObject({ versionNumber: 2 });
    expect(await versions()).toBe(2);
  });

  test("another body under it is refused, as by REST", async () => {
    const headers = { "idempotency-key": `key-${id}` };
    await write("# Two\n", { headers });
    expect(problemOf(await write("# Three\n", { headers }))).toMatchObject({
      code: "idempotency_conflict",
      status: 409,
    });
    expect(await versions()).toBe(2);
  });

  test.each(["", "x".repeat(256)])("one that is malformed is refused (%#)", async (key) => {
    const headers = { "idempotency-key": key };
    expect(problemOf(await write("# Two\n", { headers }))).toMatchObject({
      code: "invalid_request",
      errors: [{ path: "Idempotency-Key", message: "must have 1 to 255 characters" }],
    });
    expect(await versions()).toBe(1);
    // Ignored where nothing is written.
    expect(factsOf(await mcp.call("get_artifact", { artifactId }, { as: owner.token, headers }))).toMatchObject({
      artifactId,
    });
  });

  test("one of REST's is not one of MCP's, even with the same words", async () => {
    const headers = { "idempotency-key": `key-${id}` };
    const body = { content: "# Two\n" };
    const rest = await service.ask("POST", `/api/artifacts/${artifactId}/versions`, { as: owner.token, headers, body });
    expect(rest.status).toBe(201);
    expect(factsOf(await write("# Two\n", { headers }))).toMatchObject({ versionNumber: 3 });
  });
});

test("a share link that is made once is shown once, and the same call again says which link it is", async () => {
  const make = () => mcp.call("create_share_link", { artifactId, role: "viewer" }, { as: owner.token, id });
  const [first, second] = [await make(), await make()];
  const { url, shareLinkId } = factsOf(first);
  expect(url).toContain("/share/pls_");
  expect(textOf(second)).toContain(` has this link already (${String(shareLinkId)}). Its url was shown once: `);
  expect(JSON.stringify(second)).not.toContain("pls_");
  const { shareLinks } = await service.setup.call("shareLink.list", { artifactId }, { as: owner.token });
  expect(shareLinks).toHaveLength(1);
});
