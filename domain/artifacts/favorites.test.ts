// Favorites and what is shared with a person: each list is of its person alone, and revoked access shows nothing.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { createSetup, outcome, type Setup, type TestPerson } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(() => setup.close());

const emailOf = ({ username }: TestPerson) => `${username}@example.org`;
const closed = { publicView: false, publicEdit: false };
const favoritesOf = async ({ token }: TestPerson) =>
  (await setup.call("favorite.list", {}, { as: token })).artifacts.map(({ artifactId }) => artifactId);
const sharedWith = async ({ token }: TestPerson) =>
  (await setup.call("artifact.listShared", {}, { as: token })).artifacts.map(({ artifactId }) => artifactId);
const add = (artifactId: string, { token }: TestPerson) => setup.call("favorite.add", { artifactId }, { as: token });
const allow = (artifactId: string, viewerEmails: string[]) =>
  setup.call("access.update", { artifactId, ...closed, viewerEmails }, { as: owner.token });

test("a favorite is its person's alone, can be added and removed twice, and goes with the artifact", async () => {
  const [one, other] = [await setup.person(), await setup.person()];
  const { artifactId } = await setup.publish(owner.token, project);
  await Promise.all([add(artifactId, one), add(artifactId, one), add(artifactId, owner)]);
  expect([await favoritesOf(one), await favoritesOf(owner), await favoritesOf(other)]).toEqual([
    [artifactId],
    [artifactId],
    [],
  ]);
  const { slug } = await setup.call("artifact.get", { artifactId });
  const byPath = { owner: owner.username, projectSlug: project, slug, withFavorite: true };
  expect((await setup.call("artifact.getByPath", byPath, { as: one.token })).isFavorite).toBe(true);
  expect((await setup.call("artifact.getByPath", byPath, { as: other.token })).isFavorite).toBe(false);
  expect((await setup.call("artifact.getByPath", byPath)).isFavorite).toBe(false);
  for (let times = 0; times < 2; times++) await setup.call("favorite.remove", { artifactId }, { as: one.token });
  expect([await favoritesOf(one), await favoritesOf(owner)]).toEqual([[], [artifactId]]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  expect(await favoritesOf(owner)).toEqual([]);
  await setup.call("artifact.undelete", { artifactId }, { as: owner.token });
  expect(await favoritesOf(owner)).toEqual([artifactId]);
  await setup.db.run("DELETE FROM artifact WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
  expect(await setup.db.run("SELECT FROM favorite WHERE artifact_id = $1", [uuidOf("art", artifactId)])).toEqual([]);
});

test("what a person may no longer see is in neither list, and what they may see again is", async () => {
  const guest = await setup.person();
  const { artifactId } = await setup.publish(owner.token, project, { access: closed });
  expect(await outcome(add(artifactId, guest))).toBe("not_found");
  await allow(artifactId, [emailOf(guest)]);
  await add(artifactId, guest);
  expect([await favoritesOf(guest), await sharedWith(guest)]).toEqual([[artifactId], [artifactId]]);
  await allow(artifactId, []);
  expect([await favoritesOf(guest), await sharedWith(guest)]).toEqual([[], []]);
  expect(await outcome(setup.call("favorite.remove", { artifactId }, { as: guest.token }))).toBe("not_found");
  await allow(artifactId, [emailOf(guest)]);
  expect([await favoritesOf(guest), await sharedWith(guest)]).toEqual([[artifactId], [artifactId]]);
  await setup.db.run(`UPDATE "user" SET email_verified = false WHERE user_id = $1`, [uuidOf("usr", guest.userId)]);
  expect([await favoritesOf(guest), await sharedWith(guest)]).toEqual([[], []]);
});

test("a list of artifacts tells in the same statement which are favorites of the caller, where it is asked", async () => {
  const [one, other] = [await setup.publish(owner.token, project), await setup.publish(owner.token, project)];
  const reader = await setup.person();
  await add(one.artifactId, reader);
  const listed = async (input: { withFavorite?: boolean; q?: string }, as?: string) => {
    const { artifacts } = await setup.call(
      "artifact.list",
      { owner: owner.username, project, limit: 100, ...input },
      as === undefined ? {} : { as },
    );
    return [one, other].map(({ artifactId }) => artifacts.find((found) => found.artifactId === artifactId)?.isFavorite);
  };
  const plain = await setup.statementsOf(() => listed({}, reader.token));
  expect(await setup.statementsOf(() => listed({ withFavorite: true }, reader.token))).toBe(plain);
  expect(await listed({ withFavorite: true }, reader.token)).toEqual([true, false]);
  expect(await listed({ withFavorite: true }, owner.token)).toEqual([false, false]);
  expect(await listed({ withFavorite: true })).toEqual([false, false]);
  expect(await listed({}, reader.token)).toEqual([undefined, undefined]);
});

test("neither what is public nor what a person's own workspaces have is shared with them", async () => {
  const guest = await setup.person();
  await setup.publish(owner.token, project);
  const { artifactId } = await setup.publish(owner.token, project, { access: closed });
  await allow(artifactId, [emailOf(guest), emailOf(owner)]);
  expect([await sharedWith(guest), await sharedWith(owner)]).toEqual([[artifactId], []]);
});

test("favorites are listed by their last change, page by page", async () => {
  const reader = await setup.person();
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.push((await setup.publish(owner.token, project)).artifactId);
  for (const artifactId of made) await add(artifactId, reader);
  await setup.call("version.create", { artifactId: made[1] ?? "", content: "Newer" }, { as: owner.token });
  const seen: string[] = [];
  for (let cursor: string | undefined, ends = false; !ends;) {
    const input = { limit: 2, ...(cursor !== undefined && { cursor }) };
    const { artifacts, nextCursor } = await setup.call("favorite.list", input, { as: reader.token });
    seen.push(...artifacts.map(({ artifactId }) => artifactId));
    cursor = nextCursor ?? undefined;
    ends = nextCursor === null;
  }
  expect(seen).toEqual([1, 4, 3, 2, 0].map((n) => made[n] ?? ""));
});
