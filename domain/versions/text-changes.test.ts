// The versions that brought or removed a text: each change with its author, across line breaks, pages, restores and retention.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createSetup, type Caller, type Setup, type TestPerson } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { readAtOnce } from "./text-changes.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
let as: { readonly as: Caller };
beforeAll(async () => {
  setup = await createSetup({ maxContentBytes: 12 * 1024 * 1024 });
  owner = await setup.person();
  as = { as: owner.token };
  project = (await setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

/** An artifact with these texts as its versions. */
async function withVersions([first = "", ...others]: readonly string[]): Promise<string> {
  const { artifactId } = await setup.publish(owner.token, project, { content: first });
  for (const content of others) await setup.call("version.create", { artifactId, content }, as);
  return artifactId;
}

const listed = (artifactId: string, text: string, more: object = {}) =>
  setup.call("version.list", { artifactId, text, ...more }, as);
async function changes(artifactId: string, text: string, more: object = {}): Promise<string[]> {
  const { versions } = await listed(artifactId, text, more);
  return versions.map(({ versionNumber, textChange }) => `${versionNumber} ${textChange}`);
}

test("each version that brought or removed it, the newest first, and no other", async () => {
  const artifactId = await withVersions(["a", "a. The rent is 20.", "b. The rent is 20.", "b", "c. The rent is 20."]);
  expect(await changes(artifactId, "The rent is 20.")).toEqual(["5 brought", "4 removed", "2 brought"]);
  expect(await changes(artifactId, "never there")).toEqual([]);
  const { versions } = await setup.call("version.list", { artifactId }, as);
  expect(versions.some((version) => "textChange" in version)).toBe(false);
});

test("a text of the first version was brought by it, and a restore brings it again", async () => {
  const artifactId = await withVersions(["one", "two"]);
  await setup.call("version.restore", { artifactId, versionNumber: 1 }, as);
  expect(await changes(artifactId, "one")).toEqual(["3 brought", "2 removed", "1 brought"]);
});

test("line breaks and spaces between words make no difference, letters do", async () => {
  const artifactId = await withVersions(["x", "A sentence\n  that is\twrapped.", "A sentence that is wrapped."]);
  expect(await changes(artifactId, " A sentence that\nis wrapped. ")).toEqual(["2 brought"]);
  expect(await changes(artifactId, "a sentence that is wrapped.")).toEqual([]);
});

test("pages go on by the cursor, and other filters narrow the list", async () => {
  const artifactId = await withVersions(["x", "x y", "x", "x y", "x"]);
  await setup.call("version.patch", { artifactId, versionNumber: 2, name: "Kept" }, as);
  const first = await listed(artifactId, "y", { limit: 2 });
  expect(first.versions.map(({ versionNumber }) => versionNumber)).toEqual([5, 4]);
  expect(await changes(artifactId, "y", { limit: 2, cursor: first.nextCursor })).toEqual(["3 removed", "2 brought"]);
  expect(await changes(artifactId, "y", { upTo: 3 })).toEqual(["3 removed", "2 brought"]);
  expect(await changes(artifactId, "y", { named: true })).toEqual(["2 brought"]);
});

test("a request reads so many bytes, and its cursor goes on where it ended", async () => {
  const large = "z".repeat(11 * 1024 * 1024);
  const artifactId = await withVersions([`found 1${large}`, `2${large}`, `3${large}`]);
  expect(3 * large.length).toBeGreaterThan(readAtOnce.bytes);
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listed>> = await listed(
      artifactId,
      "found",
      cursor === null ? {} : { cursor },
    );
    pages.push(page.versions.map(({ versionNumber, textChange }) => `${versionNumber} ${textChange}`));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(pages).toEqual([[], ["2 removed", "1 brought"]]);
});

test("where the version before is past its retention, no version is said to have brought it", async () => {
  const artifactId = await withVersions(["x", "x y", "x y z", "x"]);
  await setup.db.run("UPDATE version SET pruned_at = now() WHERE artifact_id = $1 AND version_number <= 2", [
    uuidOf("art", artifactId),
  ]);
  expect(await changes(artifactId, "y")).toEqual(["4 removed", "3 older"]);
});

test("who may not read the artifact is told nothing, and a text of spaces is refused", async () => {
  const access = { publicView: false, publicEdit: false };
  const { artifactId } = await setup.publish(owner.token, project, { access });
  const stranger = { as: (await setup.person()).token };
  expect((await setup.refusal("version.list", { artifactId, text: "x" }, stranger)).code).toBe("not_found");
  for (const text of ["", "  \n", "x".repeat(2001)])
    expect((await setup.refusal("version.list", { artifactId, text }, as)).code).toBe("invalid_request");
});
