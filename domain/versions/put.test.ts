import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Input, Output } from "@plinth/contract/registry";
import type { Scope } from "@plinth/contract/scopes";

import { createSetupWithProject, type Manner, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  ({ setup, owner, project } = await createSetupWithProject());
});
afterAll(() => setup.close());

const open = { publicView: true, publicEdit: false };

const wanted = (slug: string, more: Partial<Input<"artifact.put">> = {}): Input<"artifact.put"> => ({
  owner: owner.username,
  projectSlug: project,
  slug,
  type: "md",
  title: "Daily",
  content: "# One\n",
  access: open,
  ...more,
});

async function put(slug: string, more: Partial<Input<"artifact.put">> = {}, manner: Manner = {}) {
  const { status, value } = await setup.answer("artifact.put", wanted(slug, more), { as: owner.token, ...manner });
  return { status, ...(value as Output<"artifact.put">) };
}

const refused = (slug: string, more: Partial<Input<"artifact.put">>, manner: Manner = {}) =>
  setup.refusal("artifact.put", wanted(slug, more), { as: owner.token, ...manner });

const versionsOf = async (artifactId: string) =>
  (await setup.call("version.list", { artifactId, limit: 100 }, { as: owner.token })).versions;

describe("one address", () => {
  test("is created, updated, and left alone where the content is the same", async () => {
    const slug = setup.name("daily");
    const created = await put(slug);
    expect(created).toMatchObject({ status: 201, created: true, slug, latestVersion: 1, access: open });
    expect(created).not.toHaveProperty("unchanged");
    const updated = await put(slug, { content: "# Two\n", changelog: "New figures" });
    expect(updated).toMatchObject({ status: 200, created: false, latestVersion: 2, artifactId: created.artifactId });
    const before = [await setup.count("version"), await setup.count("audit_event"), await setup.count("outbox")];
    const same = await put(slug, { content: "# Two\n" });
    expect(same).toMatchObject({ status: 200, created: false, unchanged: true, latestVersion: 2 });
    expect([await setup.count("version"), await setup.count("audit_event"), await setup.count("outbox")]).toEqual(
      before,
    );
    const [head] = await versionsOf(created.artifactId);
    expect(head).toMatchObject({ versionNumber: 2, changelog: "New figures" });
  });

  test("gets the title, description and access that are sent", async () => {
    const slug = setup.name("details");
    const { artifactId } = await put(slug, { description: "First" });
    const access = { publicView: true, publicEdit: true, viewerEmails: ["ada@example.org"] };
    const changed = await put(slug, { title: "Other", description: "Second", access, content: "# Two\n" });
    expect(changed).toMatchObject({ title: "Other", description: "Second", latestVersion: 2 });
    expect(await setup.call("access.get", { artifactId }, { as: owner.token })).toEqual(access);
    const retitled = await put(slug, { title: "Third", content: "# Two\n" });
    expect(retitled).toMatchObject({ unchanged: true, title: "Third", description: "Second", latestVersion: 2 });
    expect(await setup.call("access.get", { artifactId }, { as: owner.token })).toMatchObject({
      viewerEmails: ["ada@example.org"],
      publicEdit: false,
    });
  });

  test("is private where no access is sent, and keeps its access on an update", async () => {
    const { owner: by, projectSlug, type, title, content } = wanted("");
    const slug = setup.name("private");
    const input = { owner: by, projectSlug, slug, type, title, content: content ?? "" };
    const first = await setup.call("artifact.put", input, { as: owner.token });
    expect(first.access.publicView).toBe(false);
    await put(slug, { content: "# Two\n" });
    expect((await setup.call("artifact.put", input, { as: owner.token })).access.publicView).toBe(true);
  });

  test("leads to the artifact that had it", async () => {
    const slug = setup.name("former");
    const { artifactId } = await put(slug);
    const present = setup.name("present");
    await setup.call("artifact.patch", { artifactId, slug: present }, { as: owner.token });
    const moved = await put(slug, { content: "# Two\n" });
    expect(moved).toMatchObject({
      artifactId,
      created: false,
      latestVersion: 2,
      slug: present,
      movedTo: `${owner.username}/${project}/${present}`,
    });
  });
});

describe("a version that the caller has not read", () => {
  test("is not published over, and then nothing else changes either; the same content is no conflict", async () => {
    const slug = setup.name("guarded");
    await put(slug);
    expect(await put(slug, { content: "# Two\n", expectedLatestVersion: 1 })).toMatchObject({ latestVersion: 2 });
    const conflict = await refused(slug, { content: "# Three\n", title: "Three", expectedLatestVersion: 1 });
    expect(conflict).toMatchObject({ code: "version_conflict", extra: { latestVersion: 2, expectedLatestVersion: 1 } });
    expect(await put(slug, { content: "# Two\n", expectedLatestVersion: 1 })).toMatchObject({
      unchanged: true,
      title: "Daily",
    });
    const missing = await refused(setup.name("missing"), { expectedLatestVersion: 1 });
    expect(missing).toMatchObject({ code: "not_found", extra: { hint: expect.stringContaining("to create it") } });
  });

  test("another type is refused, and nothing is written", async () => {
    const slug = setup.name("typed");
    const { artifactId } = await put(slug);
    const refusal = await refused(slug, { type: "html", title: "Page", content: "<p>" });
    expect(refusal).toMatchObject({ code: "slug_conflict", extra: { artifactId } });
    expect(await put(slug)).toMatchObject({ unchanged: true, title: "Daily", latestVersion: 1 });
  });
});

describe("rights", () => {
  test("a change of access needs its scope; without one it needs none", async () => {
    const slug = setup.name("scopes");
    const held: Scope[] = ["artifacts:create", "artifacts:update"];
    const as = await setup.key(owner.userId, held);
    const { artifactId } = await put(slug, {}, { as });
    expect(await put(slug, { content: "# Two\n" }, { as })).toMatchObject({ latestVersion: 2 });
    const refusal = await refused(slug, { content: "# Three\n", access: { ...open, publicEdit: true } }, { as });
    expect(refusal).toMatchObject({ code: "insufficient_scope", extra: { requiredScope: "artifacts:access:write" } });
    expect(await versionsOf(artifactId)).toHaveLength(2);
    for (const lacking of held)
      expect((await refused(slug, {}, { as: await setup.key(owner.userId, [lacking]) })).code).toBe(
        "insufficient_scope",
      );
  });

  test("publicEdit does not open the address to strangers, nor does it say anything of a hidden project", async () => {
    const slug = setup.name("edited");
    await put(slug, { access: { publicView: true, publicEdit: true } });
    const stranger = await setup.person();
    expect((await refused(slug, { content: "# Two\n" }, { as: stranger.token })).code).toBe("forbidden");
    const { slug: hidden } = await setup.project(owner.token);
    expect((await refused(slug, { projectSlug: hidden }, { as: stranger.token })).code).toBe("not_found");
  });
});

describe("at the same time", () => {
  test("twenty callers with one content: one creates it, and there is one version", async () => {
    const slug = setup.name("race");
    const answers = await Promise.all(Array.from({ length: 20 }, () => put(slug)));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ artifactId }) => artifactId)).size).toBe(1);
    expect(await versionsOf(answers[0]?.artifactId ?? "")).toHaveLength(1);
    const again = await Promise.all(Array.from({ length: 3 }, () => put(slug, { content: "# Two\n" })));
    expect(again.filter(({ unchanged }) => unchanged !== true)).toHaveLength(1);
  });

  test("twenty contents: each becomes a version", async () => {
    const slug = setup.name("race");
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => put(slug, { content: `# ${n}\n` })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const versions = await versionsOf(answers[0]?.artifactId ?? "");
    expect(new Set(versions.map(({ sha256 }) => sha256)).size).toBe(20);
    expect(versions).toHaveLength(20);
  });
});

test("a dry run says what would be, and writes nothing", async () => {
  const slug = setup.name("dry");
  const manner = { dryRun: true };
  const before = [await setup.count("artifact"), await setup.count("version"), await setup.count("audit_event")];
  expect(await put(slug, {}, manner)).toMatchObject({ status: 200, created: true, dryRun: true });
  const counts = async () => [
    await setup.count("artifact"),
    await setup.count("version"),
    await setup.count("audit_event"),
  ];
  expect(await counts()).toEqual(before);
  await put(slug, { type: "jsx", content: "export default () => <p>1</p>" });
  const there = await counts();
  const jsx = { type: "jsx", content: "export default () => <p>2</p>", title: "Other" } as const;
  const next = await put(slug, jsx, manner);
  expect(next).toMatchObject({ status: 200, created: false, dryRun: true, latestVersion: 2, title: "Other" });
  expect(await counts()).toEqual(there);
});

test("readers who watch the artifact are told of a change, and of nothing else", async () => {
  const slug = setup.name("watched");
  const woken: string[] = [];
  const instance = { ...setup.instance, publishChange: (artifactId: string) => void woken.push(artifactId) };
  const puts = (more: Partial<Input<"artifact.put">>, manner: Manner = {}) =>
    setup.answerOf(instance, "artifact.put", wanted(slug, more), { as: owner.token, ...manner });
  const { artifactId } = (await puts({})).value as Output<"artifact.put">;
  await puts({});
  await puts({ content: "# Two\n" }, { dryRun: true });
  expect(woken).toEqual([]);
  await puts({ content: "# Two\n" });
  await puts({ content: "# Two\n", title: "Other" });
  expect(woken).toEqual([artifactId, artifactId]);
});
