// Former addresses of artifacts and projects: what leads where, who can take and release one, and what races end in.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { invariants } from "../doctor/invariants.ts";
import { createSetup, outcome, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
});
afterAll(() => setup.close());

const asOwner = () => ({ as: owner.token });
const at = (projectSlug: string, slug: string, as?: string) =>
  setup.call("artifact.getByPath", { owner: owner.username, projectSlug, slug }, as === undefined ? {} : { as });
const patch = (artifactId: string, change: { slug?: string; projectSlug?: string }) =>
  setup.call("artifact.patch", { artifactId, ...change }, asOwner());
const codeAt = async (projectSlug: string, slug: string, as?: string) => outcome(at(projectSlug, slug, as));

test("after renames and moves each former address leads to the artifact and says where it is", async () => {
  const [first, second] = [await setup.project(owner.token), await setup.project(owner.token)];
  const { artifactId } = await setup.publish(owner.token, first.slug, { slug: "one" });
  await patch(artifactId, { slug: "two" });
  await patch(artifactId, { projectSlug: second.slug });
  await patch(artifactId, { slug: "three" });
  const movedTo = `${owner.username}/${second.slug}/three`;
  for (const [project, slug] of [
    [first.slug, "one"],
    [first.slug, "two"],
    [second.slug, "two"],
  ] as const)
    expect(await at(project, slug)).toMatchObject({ artifactId, slug: "three", movedTo });
  expect(await at(second.slug, "three")).not.toHaveProperty("movedTo");
  expect(await setup.call("artifact.listFormerAddresses", { artifactId }, asOwner())).toMatchObject({
    formerAddresses: [second.slug + "/two", first.slug + "/two", first.slug + "/one"].map((address) => ({
      address: `${owner.username}/${address}`,
      url: `${setup.instance.config.publicUrl}/${owner.username}/${address}`,
    })),
  });
  // An artifact that returns to an address has it again.
  await patch(artifactId, { slug: "two" });
  expect(await at(second.slug, "two")).not.toHaveProperty("movedTo");
  expect(await at(second.slug, "three")).toMatchObject({ artifactId, slug: "two" });
});

test("an address is found in any case, and says how it is written", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, projectSlug, { slug: "report" });
  const found = await setup.call("artifact.getByPath", {
    owner: owner.username.toUpperCase(),
    projectSlug: projectSlug.toUpperCase(),
    slug: "Report",
  });
  expect(found).toMatchObject({ artifactId, movedTo: `${owner.username}/${projectSlug}/report` });
  const project = await setup.call("project.getByPath", {
    owner: owner.username,
    projectSlug: projectSlug.toUpperCase(),
  });
  expect(project).toMatchObject({ slug: projectSlug, movedTo: `${owner.username}/${projectSlug}` });
});

test("no artifact takes a former address, by rename or publish, until it is released", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, projectSlug, { slug: "old" });
  await patch(artifactId, { slug: "new" });
  const other = await setup.publish(owner.token, projectSlug, { slug: "other" });
  const refusal = await setup.refusal("artifact.patch", { artifactId: other.artifactId, slug: "old" }, asOwner());
  expect([refusal.code, refusal.extra]).toMatchObject(["slug_conflict", { artifactId, suggestion: "old-2" }]);
  expect(refusal.extra.hint).toContain("release its former address");
  expect(await outcome(setup.publish(owner.token, projectSlug, { slug: "old" }))).toBe("slug_conflict");
  const slugOf = { owner: owner.username, projectSlug, slug: "old" };
  expect(await setup.call("artifact.slugAvailability", slugOf, asOwner())).toMatchObject({
    available: false,
    reason: "taken",
    suggestion: "old-2",
  });

  const address = `${owner.username}/${projectSlug}/old`;
  const stranger = await setup.person();
  const release = (as: string, released = address) =>
    outcome(setup.call("artifact.releaseFormerAddress", { artifactId, address: released }, { as }));
  expect(await release(stranger.token)).toBe("forbidden");
  for (const wrong of ["old", `${address}/more`, address.replace("/old", "/new"), `nobody/${projectSlug}/old`])
    expect(await release(owner.token, wrong)).toBe("not_found");
  expect(await release(owner.token)).toBe("done");
  expect(await release(owner.token)).toBe("not_found");
  expect(await codeAt(projectSlug, "old")).toBe("not_found");
  const taker = await setup.publish(owner.token, projectSlug, { slug: "old" });
  expect(await at(projectSlug, "old")).toMatchObject({ artifactId: taker.artifactId });
  const { auditEvents } = await setup.call("audit.list", { artifactId }, asOwner());
  expect(auditEvents[0]).toMatchObject({ kind: "artifact.updated", before: { formerAddress: address } });
});

test("a publish that meets a former address keeps none of those beside it from being done", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, projectSlug, { slug: "former" });
  await patch(artifactId, { slug: "present" });
  const slugs = Array.from({ length: 12 }, (_, n) => (n % 4 === 0 ? "former" : `beside-${n}`));
  const outcomes = await Promise.all(slugs.map((slug) => outcome(setup.publish(owner.token, projectSlug, { slug }))));
  expect(outcomes).toEqual(slugs.map((slug) => (slug === "former" ? "slug_conflict" : "done")));
});

test("deleting an artifact frees its former addresses, and undeleting it restores those that are free", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, projectSlug, { slug: "a" });
  await patch(artifactId, { slug: "b" });
  await patch(artifactId, { slug: "c" });
  await setup.call("artifact.delete", { artifactId }, asOwner());
  for (const slug of ["a", "b", "c"]) expect(await codeAt(projectSlug, slug)).toBe("not_found");
  const taker = await setup.publish(owner.token, projectSlug, { slug: "a" });
  await setup.call("artifact.undelete", { artifactId }, asOwner());
  expect(await at(projectSlug, "a")).toMatchObject({ artifactId: taker.artifactId });
  expect(await at(projectSlug, "b")).toMatchObject({ artifactId, slug: "c" });
  // What another artifact has had since is that one's, even after it is deleted.
  await setup.call("artifact.delete", { artifactId: taker.artifactId }, asOwner());
  expect(await codeAt(projectSlug, "a")).toBe("not_found");
});

test("undeleting is refused where the address is a former one of another artifact, and says what to do", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, projectSlug, { slug: "shared" });
  await setup.call("artifact.delete", { artifactId }, asOwner());
  const other = await setup.publish(owner.token, projectSlug, { slug: "shared" });
  await patch(other.artifactId, { slug: "elsewhere" });
  const refusal = await setup.refusal("artifact.undelete", { artifactId }, asOwner());
  expect(refusal).toMatchObject({ code: "slug_conflict", extra: { artifactId: other.artifactId } });
  expect(refusal.extra.hint).toContain("Release");
  const address = `${owner.username}/${projectSlug}/shared`;
  await setup.call("artifact.releaseFormerAddress", { artifactId: other.artifactId, address }, asOwner());
  expect(await setup.call("artifact.undelete", { artifactId }, asOwner())).toMatchObject({ slug: "shared" });
});

test("a deleted project keeps its address while an artifact that moved out of it is not deleted", async () => {
  const [left, kept] = [await setup.project(owner.token), await setup.project(owner.token)];
  const { artifactId } = await setup.publish(owner.token, left.slug, { slug: "page" });
  await patch(artifactId, { projectSlug: kept.slug });
  await setup.call("project.delete", { projectId: left.projectId }, asOwner());
  expect(await at(left.slug, "page")).toMatchObject({ artifactId, projectSlug: kept.slug });
  expect(await outcome(setup.call("project.getByPath", { owner: owner.username, projectSlug: left.slug }))).toBe(
    "not_found",
  );
  const again = { slug: left.slug, title: "Again", icon: "a" };
  const refusal = await setup.refusal("project.create", again, asOwner());
  expect([refusal.code, refusal.extra["suggestion"]]).toEqual(["slug_conflict", `${left.slug}-2`]);
  expect(
    await setup.call("project.slugAvailability", { owner: owner.username, slug: left.slug }, asOwner()),
  ).toMatchObject({ available: false });
  const address = `${owner.username}/${left.slug}/page`;
  await setup.call("artifact.releaseFormerAddress", { artifactId, address }, asOwner());
  expect(await setup.call("project.create", again, asOwner())).toMatchObject({ slug: left.slug });
  expect(await codeAt(left.slug, "page")).toBe("not_found");
});

test("a former address of a project can be released by its members", async () => {
  const { projectId, slug } = await setup.project(owner.token);
  await setup.publish(owner.token, slug, { slug: "page" });
  await setup.call("project.update", { projectId, slug: `${slug}-new` }, asOwner());
  expect(await at(slug, "page")).toMatchObject({ movedTo: `${owner.username}/${slug}-new/page` });
  const address = `${owner.username}/${slug}`;
  expect(await setup.call("project.listFormerAddresses", { projectId }, asOwner())).toMatchObject({
    formerAddresses: [{ address }],
  });
  const wrong = setup.call("project.releaseFormerAddress", { projectId, address: `${address}/page` }, asOwner());
  expect(await outcome(wrong)).toBe("not_found");
  await setup.call("project.releaseFormerAddress", { projectId, address }, asOwner());
  expect(await codeAt(slug, "page")).toBe("not_found");
  expect(await setup.call("project.create", { slug, title: "Taker", icon: "t" }, asOwner())).toMatchObject({ slug });
});

test("a former address of a hidden artifact is as little there as one that never was", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  const access = { publicView: false, publicEdit: false };
  const { artifactId } = await setup.publish(owner.token, projectSlug, { slug: "secret-plan", access });
  await patch(artifactId, { slug: "plan" });
  const stranger = await setup.person();
  const refusals = [];
  for (const slug of ["secret-plan", "plan", "never-was"])
    for (const as of [stranger.token, undefined])
      refusals.push(
        await setup.refusal(
          "artifact.getByPath",
          { owner: owner.username, projectSlug, slug },
          as === undefined ? {} : { as },
        ),
      );
  expect(new Set(refusals.map(({ code, message, extra }) => JSON.stringify({ code, message, extra }))).size).toBe(1);
  expect(await at(projectSlug, "secret-plan", owner.token)).toMatchObject({ artifactId, slug: "plan" });
});

test("a dry run of a rename keeps nothing, and one onto a former address is refused", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  const { artifactId } = await setup.publish(owner.token, projectSlug, { slug: "start" });
  await setup.call("artifact.patch", { artifactId, slug: "end" }, { ...asOwner(), dryRun: true });
  expect(await setup.call("artifact.listFormerAddresses", { artifactId }, asOwner())).toEqual({ formerAddresses: [] });
  await patch(artifactId, { slug: "end" });
  const other = await setup.publish(owner.token, projectSlug);
  const tried = { artifactId: other.artifactId, slug: "start" };
  expect((await setup.refusal("artifact.patch", tried, { ...asOwner(), dryRun: true })).code).toBe("slug_conflict");
});

test("renames, publishes, deletions and undeletions of one address at once leave it to one artifact", async () => {
  const { slug: projectSlug } = await setup.project(owner.token);
  for (let round = 0; round < 30; round++) {
    const slug = `contested-${round}`;
    const first = await setup.publish(owner.token, projectSlug, { slug });
    const second = await setup.publish(owner.token, projectSlug);
    const deleted = await setup.publish(owner.token, projectSlug, { slug: `${slug}-deleted` });
    await patch(deleted.artifactId, { slug: `${slug}-undeleted` });
    await setup.call("artifact.delete", { artifactId: deleted.artifactId }, asOwner());
    const outcomes = await Promise.all(
      [
        patch(first.artifactId, { slug: `${slug}-away` }),
        setup.publish(owner.token, projectSlug, { slug }),
        patch(second.artifactId, { slug }),
        setup.call("artifact.undelete", { artifactId: deleted.artifactId }, asOwner()),
        setup.publish(owner.token, projectSlug, { slug: `${slug}-deleted` }),
      ].map(outcome),
    );
    expect(outcomes.slice(0, 3)).toEqual(["done", "slug_conflict", "slug_conflict"]);
    expect(outcomes[3]).toBe("done");
    expect(outcomes[4]).toMatch(/^(?:done|slug_conflict)$/);
    expect(await at(projectSlug, slug)).toMatchObject({ artifactId: first.artifactId });
  }
  for (const [name, statement] of Object.entries(invariants))
    expect([name, await setup.db.run(statement)]).toEqual([name, []]);
});
