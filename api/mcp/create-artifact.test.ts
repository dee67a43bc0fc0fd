// Publishing where the slug may be taken: the effect of `ifExists`, and that nothing else is written.
import { afterAll, describe, expect, test } from "bun:test";

import { closeThreads } from "@plinth/domain/threads/pool";
import { factsOf } from "@plinth/support/mcp-text";

import { createMcpService, problemOf } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
const project = await service.setup.project(as);
afterAll(async () => {
  await closeThreads();
  await service.close();
});

const open = { publicView: true, publicEdit: false };
const hidden = { publicView: false, publicEdit: false };

const wanted = (slug: string, more: Record<string, unknown> = {}) => ({
  projectSlug: project.slug,
  slug,
  type: "md",
  title: "One",
  content: "one",
  access: open,
  ...more,
});
const publish = (slug: string, more: Record<string, unknown> = {}) =>
  mcp.call("create_artifact", wanted(slug, more), { as });
const versionsOf = async (artifactId: unknown) =>
  (await service.setup.call("version.list", { artifactId: String(artifactId) }, { as })).versions;
const written = () =>
  Promise.all((["artifact", "version", "audit_event"] as const).map((table) => service.setup.count(table)));

async function existing(more: Record<string, unknown> = {}) {
  const slug = service.setup.name("there");
  const { artifactId = "", url = "" } = factsOf(await publish(slug, more));
  return { slug, artifactId, url };
}

test.each([undefined, "fail", "update", "return"])(
  "a free slug is published at, with ifExists %p",
  async (ifExists) => {
    const value = factsOf(await publish(service.setup.name("free"), ifExists === undefined ? {} : { ifExists }));
    expect(value).toMatchObject({ action: "created", versionNumber: 1 });
  },
);

describe("a taken slug", () => {
  test.each([undefined, "fail"])("is refused with ifExists %p, and says what to send", async (ifExists) => {
    const { slug, artifactId } = await existing();
    const before = await written();
    const problem = problemOf(await publish(slug, { content: "two", ...(ifExists && { ifExists }) }));
    expect(problem).toMatchObject({ code: "slug_conflict", artifactId });
    expect(problem["hint"]).toEndWith(", or send ifExists: update");
    expect(await written()).toEqual(before);
  });

  test("is published on top of with update: the text and the title; access that would be wider is left and named", async () => {
    const { slug, artifactId } = await existing();
    const more = {
      ifExists: "update",
      content: "two",
      title: "Other",
      changelog: "Second",
      access: { ...open, publicEdit: true },
    };
    const answer = await publish(slug, more);
    expect(factsOf(answer)).toMatchObject({
      action: "updated",
      artifactId,
      versionNumber: 2,
      keptAccess: true,
    });
    expect(answer.content[0]?.text).toContain("Set as you sent: title. Its access was left as it is, public:");
    const [head] = await versionsOf(artifactId);
    expect(head).toMatchObject({ versionNumber: 2, changelog: "Second" });
  });

  test("gets its title and description with update, and no version where the text is the same", async () => {
    const { slug, artifactId } = await existing();
    const more = { ifExists: "update", title: "Other", description: "New" };
    const answer = await publish(slug, more);
    expect(factsOf(answer)).toMatchObject({ action: "updated", versionNumber: 1 });
    expect(answer.content[0]?.text).toContain(
      "has this very text already, as version 1. Set as you sent: title, description.",
    );
    expect(await versionsOf(artifactId)).toHaveLength(1);
    expect(await service.setup.call("artifact.get", { artifactId }, { as })).toMatchObject({
      title: "Other",
      description: "New",
    });
    expect(factsOf(await publish(slug, more))).toMatchObject({ action: "unchanged" });
  });

  test("gets narrower access and other viewers with update, which are not written twice", async () => {
    const { slug, artifactId } = await existing({ access: { ...open, publicEdit: true } });
    const more = { ifExists: "update", access: { ...open, viewerEmails: ["eve@example.com"] } };
    const answer = await publish(slug, more);
    expect(factsOf(answer)).toMatchObject({ action: "updated", versionNumber: 1, keptAccess: false });
    expect(answer.content[0]?.text).toContain("Set as you sent: access.");
    expect(await service.setup.call("access.get", { artifactId }, { as })).toEqual({
      ...open,
      viewerEmails: ["eve@example.com"],
    });
    const before = await written();
    expect(factsOf(await publish(slug, more))).toMatchObject({ action: "unchanged" });
    expect(await written()).toEqual(before);
  });

  test("keeps its access with update by a credential that cannot set it, and the answer says so", async () => {
    const { slug, artifactId } = await existing({ access: { ...open, publicEdit: true } });
    const { userId } = await service.setup.call("profile.get", {}, { as });
    for (const scopes of [[], ["artifacts:access:write"]] as const) {
      const narrow = await service.setup.key(userId, [
        "artifacts:read",
        "artifacts:create",
        "artifacts:update",
        ...scopes,
      ]);
      const given = wanted(slug, { ifExists: "update", content: `by ${scopes.length}` });
      const answer = await mcp.call("create_artifact", given, { as: narrow });
      expect(factsOf(answer)).toMatchObject({ action: "updated", keptAccess: true });
    }
    expect(await service.setup.call("access.get", { artifactId }, { as })).toMatchObject({ publicEdit: true });
  });

  test("is left as it is with update where the text is the same", async () => {
    const { slug, artifactId } = await existing();
    const before = await written();
    expect(factsOf(await publish(slug, { ifExists: "update" }))).toMatchObject({
      action: "unchanged",
      artifactId,
      versionNumber: 1,
    });
    expect(await written()).toEqual(before);
  });

  test("is returned unchanged with return, even when other fields differ", async () => {
    const { slug, artifactId, url } = await existing();
    const before = await written();
    const more = { ifExists: "return", content: "two", title: "Two", type: "html", access: hidden };
    const answer = await publish(slug, more);
    expect(factsOf(answer)).toMatchObject({ url, action: "returned", artifactId, versionNumber: 1 });
    // The facts of the artifact that is there, not those that were sent.
    expect(answer.content[0]?.text).toContain(`: "One" · ${artifactId} · md · v1 · `);
    expect(answer.content[0]?.text).toEndWith(" · public.");
    expect(await written()).toEqual(before);
  });

  test("of another type is refused with update, and nothing is written", async () => {
    const { slug, artifactId, url } = await existing();
    const before = await written();
    const problem = problemOf(await publish(slug, { ifExists: "update", type: "html", content: "<p>" }));
    expect(problem).toMatchObject({ code: "slug_conflict", artifactId });
    expect(problem["detail"]).toBe(`The artifact at ${url} is md, not html; nothing was written`);
    expect(await written()).toEqual(before);
  });

  test("that is public is refused with update of what was to be private, and nothing is written", async () => {
    const { slug, url } = await existing();
    const before = await written();
    const problem = problemOf(await publish(slug, { ifExists: "update", content: "a secret", access: hidden }));
    expect(problem["detail"]).toBe(`The artifact at ${url} is public, and this was to be private; nothing was written`);
    expect(await written()).toEqual(before);
  });

  test("that is private takes what was to be public, and stays private", async () => {
    const { slug } = await existing({ access: hidden });
    const answer = await publish(slug, { ifExists: "update", content: "two" });
    expect(factsOf(answer)).toMatchObject({ action: "updated", keptAccess: true });
    expect(answer.content[0]?.text).toContain("Its access was left as it is, private:");
  });

  test("of another workspace is not reached by ifExists", async () => {
    const { slug } = await existing();
    const { token: stranger } = await service.setup.person();
    const before = await written();
    const answer = await mcp.call("create_artifact", wanted(slug, { ifExists: "update", content: "mine" }), {
      as: stranger,
    });
    expect(problemOf(answer)["code"]).toBe("not_found");
    expect(await written()).toEqual(before);
  });

  test("is not updated by a caller who can create and not update", async () => {
    const { slug } = await existing();
    const { userId } = await service.setup.call("profile.get", {}, { as });
    const narrow = await service.setup.key(userId, ["artifacts:read", "artifacts:create"]);
    const before = await written();
    const answer = await mcp.call("create_artifact", wanted(slug, { ifExists: "update", content: "two" }), {
      as: narrow,
    });
    expect(problemOf(answer)).toMatchObject({ code: "insufficient_scope", requiredScope: "artifacts:update" });
    expect(await written()).toEqual(before);
  });

  test("by ten at once: one is created, and each of the others is its next version or told of the conflict", async () => {
    const slug = service.setup.name("race");
    const racing = Array.from({ length: 10 }, (_, n) => publish(slug, { ifExists: "update", content: `text ${n}` }));
    const answers = await Promise.all(racing);
    const done = answers.filter(({ isError }) => !isError).map(factsOf);
    expect(done.filter(({ action }) => action === "created")).toHaveLength(1);
    expect(done.every(({ action }) => action === "created" || action === "updated")).toBe(true);
    const refused = answers.filter(({ isError }) => isError).map(problemOf);
    expect(refused.every(({ code }) => code === "version_conflict")).toBe(true);
    const versions = await versionsOf(done[0]?.artifactId);
    expect(versions).toHaveLength(done.length);
    expect(new Set(versions.map(({ sha256 }) => sha256)).size).toBe(done.length);
  });
});
