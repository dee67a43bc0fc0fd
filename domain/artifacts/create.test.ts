import { afterAll, beforeAll, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";

import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

test("of a hundred concurrent creators of one slug, one succeeds; the others get its id and a free slug", async () => {
  const slug = setup.name("one");
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => setup.publish(owner.token, project, { slug }).catch((error: AppError) => error)),
  );
  const made = outcomes.filter((outcome) => "artifactId" in outcome);
  expect(made).toHaveLength(1);
  const refusals = outcomes.filter((outcome): outcome is AppError => "extra" in outcome);
  expect(new Set(refusals.map((refusal) => refusal.code))).toEqual(new Set(["slug_conflict"]));
  expect(new Set(refusals.map((refusal) => refusal.extra["suggestion"]))).toEqual(new Set([`${slug}-2`]));
});

test("one text is stored once for any number of publishers", async () => {
  const before = await setup.count("content");
  const content = "the same text";
  const made = await setup.publish(owner.token, project, { content });
  await setup.publish(owner.token, project, { content });
  await setup.call("version.create", { artifactId: made.artifactId, content }, { as: owner.token });
  await setup.call("version.restore", { artifactId: made.artifactId, versionNumber: 1 }, { as: owner.token });
  expect(await setup.count("content")).toBe(before + 1);
});

test("an allowlist is kept lower-cased and once; publicEdit needs publicView", async () => {
  const viewerEmails = ["Ada@Example.org", "ada@example.org", "b+c@example.org"];
  const access = { publicView: true, publicEdit: false, viewerEmails };
  const { artifactId } = await setup.publish(owner.token, project, { access });
  const [row] = await setup.db.run<{ after: { access: { viewerEmails: string[] } } }>(
    "SELECT after FROM audit_event WHERE target_id = $1",
    [artifactId],
  );
  expect(row?.after.access.viewerEmails).toEqual(["ada@example.org", "b+c@example.org"]);
  const refused = await setup
    .publish(owner.token, project, { access: { publicView: false, publicEdit: true } })
    .catch((error: AppError) => error);
  expect(refused).toMatchObject({ code: "invalid_request", extra: { errors: [{ path: "access.publicEdit" }] } });
});

test("a slug of a deleted artifact, and one of another project, are free", async () => {
  const { artifactId, slug } = await setup.publish(owner.token, project);
  const other = await setup.project(owner.token);
  await setup.publish(owner.token, other.slug, { slug });
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  await setup.publish(owner.token, project, { slug });
});

test("pages go through everything once, newest first, and a cursor is only good for its list", async () => {
  const place = await setup.project(owner.token);
  const made: string[] = [];
  for (let index = 0; index < 5; index++) made.push((await setup.publish(owner.token, place.slug)).artifactId);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const input = { limit: 2, owner: owner.username, project: place.slug };
    const page: { artifacts: { artifactId: string }[]; nextCursor: string | null } = await setup.call(
      "artifact.list",
      cursor === null ? input : { ...input, cursor },
    );
    seen.push(...page.artifacts.map((row) => row.artifactId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(made.toReversed());
  const { nextCursor } = await setup.call("artifact.list", { limit: 1 });
  const base64 = (text: string) => Buffer.from(text).toString("base64url");
  const forged = [
    nextCursor?.slice(1),
    `${nextCursor}=`,
    base64("projects:prj_0"),
    base64(`artifacts:art_${"u".repeat(26)}`),
    base64("artifacts:' OR 1=1"),
    "%",
  ];
  for (const other of forged) {
    expect((await setup.refusal("artifact.list", { cursor: other })).extra.errors?.[0]?.path).toBe("cursor");
  }
  expect((await setup.refusal("project.listMine", { cursor: nextCursor }, { as: owner.token })).code).toBe(
    "invalid_request",
  );
});
