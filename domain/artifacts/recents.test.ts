// Recently opened artifacts: visible to the person alone, without artifacts that the person may no longer see, and
// clearable.
import { afterAll, expect, test } from "bun:test";

import { recentArtifacts } from "@plinth/contract/limits";
import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import type { Principal } from "../access/principal.ts";
import { createSetupWithProject, type Caller } from "../test/context.ts";
import { createRecents } from "./recents.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const open = (slug: string, as?: Caller) =>
  setup.call(
    "artifact.getByPath",
    { owner: owner.username, projectSlug: project, slug },
    { isPageView: true, ...(as !== undefined && { as }) },
  );
const flush = () => setup.instance.recents.flush();
const recentsOf = async (as: Caller, limit = 100) =>
  (await setup.call("recent.list", { limit }, { as })).artifacts.map(({ artifactId }) => artifactId);

async function reader() {
  const person = await setup.person();
  return { ...person, session: await setup.session(person.userId) };
}

test("the last opened is first, once, for its person alone, and no page waits for it", async () => {
  const [one, other] = [await reader(), await reader()];
  const [first, second] = [await setup.publish(owner.token, project), await setup.publish(owner.token, project)];
  const plain = { owner: owner.username, projectSlug: project, slug: first.slug };
  const unseen = await setup.statementsOf(() => setup.call("artifact.getByPath", plain, { as: one.session }));
  expect(await setup.statementsOf(() => open(first.slug, one.session))).toBe(unseen);
  await flush();
  await open(second.slug, one.session);
  await open(second.slug, other.session);
  await flush();
  expect([await recentsOf(one.session), await recentsOf(other.session)]).toEqual([
    [second.artifactId, first.artifactId],
    [second.artifactId],
  ]);
  await open(first.slug, one.session);
  await flush();
  expect(await recentsOf(one.session)).toEqual([first.artifactId, second.artifactId]);
  expect(await recentsOf(one.token)).toEqual(await recentsOf(one.session));
});

test("reads by keys, without a page, and of anonymous readers are not recorded", async () => {
  const { session, token } = await reader();
  const { artifactId, slug } = await setup.publish(owner.token, project);
  await open(slug, token);
  await open(slug);
  await setup.call("artifact.get", { artifactId }, { as: session });
  await flush();
  expect(await recentsOf(session)).toEqual([]);
});

test("what a person may no longer see is not listed, and what they may see again is", async () => {
  const { session, username } = await reader();
  const closed = { publicView: false, publicEdit: false };
  const { artifactId, slug } = await setup.publish(owner.token, project);
  await open(slug, session);
  await flush();
  const allow = (viewerEmails: string[]) =>
    setup.call("access.update", { artifactId, ...closed, viewerEmails }, { as: owner.token });
  await allow([]);
  expect(await recentsOf(session)).toEqual([]);
  await allow([`${username}@example.org`]);
  expect(await recentsOf(session)).toEqual([artifactId]);
  await setup.call("artifact.delete", { artifactId }, { as: owner.token });
  expect(await recentsOf(session)).toEqual([]);
  await setup.db.run("DELETE FROM artifact WHERE artifact_id = $1", [uuidOf("art", artifactId)]);
  expect(await setup.db.run("SELECT FROM recent_view WHERE artifact_id = $1", [uuidOf("art", artifactId)])).toEqual([]);
});

test("the latest are kept, page by page, and clearing ends them with those that are not yet written", async () => {
  const { session, userId } = await reader();
  const made: string[] = [];
  for (let n = 0; n < recentArtifacts + 2; n++) {
    const { artifactId } = await setup.publish(owner.token, project);
    made.unshift(artifactId);
    await setup.db.run("INSERT INTO recent_view VALUES ($1, $2, now() - make_interval(days => $3))", [
      uuidOf("usr", userId),
      uuidOf("art", artifactId),
      recentArtifacts + 2 - n,
    ]);
  }
  const { artifactId, slug } = await setup.publish(owner.token, project);
  await open(slug, session);
  await flush();
  const rows = () => setup.db.run("SELECT FROM recent_view WHERE user_id = $1", [uuidOf("usr", userId)]);
  expect(await rows()).toHaveLength(recentArtifacts);
  const seen: string[] = [];
  for (let cursor: string | undefined, ends = false; !ends;) {
    const input = { limit: 20, ...(cursor !== undefined && { cursor }) };
    const { artifacts, nextCursor } = await setup.call("recent.list", input, { as: session });
    seen.push(...artifacts.map((artifact) => artifact.artifactId));
    cursor = nextCursor ?? undefined;
    ends = nextCursor === null;
  }
  expect(seen).toEqual([artifactId, ...made.slice(0, recentArtifacts - 1)]);
  await open(slug, session);
  await setup.call("recent.clear", {}, { as: session });
  await flush();
  expect([await recentsOf(session), await rows()]).toEqual([[], []]);
});

test("what another process has not yet written when the list is cleared stays out, and what is opened later comes in", async () => {
  const { session, userId } = await reader();
  const { artifactId, slug } = await setup.publish(owner.token, project);
  const other = createRecents(setup.db);
  other.record({ type: "user", userId } as Principal, { artifactId });
  await setup.call("recent.clear", {}, { as: session });
  await other.flush();
  expect(await recentsOf(session)).toEqual([]);
  // The times are of milliseconds.
  const clearedBy = Date.now();
  while (Date.now() === clearedBy) await Bun.sleep(1);
  await open(slug, session);
  await flush();
  expect(await recentsOf(session)).toEqual([artifactId]);
});

test("a flush that waits for a clearing writes nothing of before", async () => {
  const { session, userId } = await reader();
  const { slug } = await setup.publish(owner.token, project);
  await open(slug, session);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run(`UPDATE "user" SET recents_cleared_at = now() + interval '1 hour' WHERE user_id = $1`, [
      uuidOf("usr", userId),
    ]);
    const flushing = flush();
    await held.untilWaitedFor(flushing);
    await held.commit();
    await flushing;
  });
  expect(await recentsOf(session)).toEqual([]);
});

test("clearing waits for a flush that is under way", async () => {
  const { session, userId } = await reader();
  const { artifactId, slug } = await setup.publish(owner.token, project);
  await open(slug, session);
  await holdTransaction(setup.db.url, async (held) => {
    await held.run("SELECT FROM artifact WHERE artifact_id = $1 FOR UPDATE", [uuidOf("art", artifactId)]);
    const flushing = flush();
    await held.untilWaitedFor(flushing);
    const clearing = setup.call("recent.clear", {}, { as: session });
    await held.untilWaitedFor(flushing, clearing);
    await held.commit();
    await Promise.all([flushing, clearing]);
  });
  expect(await setup.db.run("SELECT FROM recent_view WHERE user_id = $1", [uuidOf("usr", userId)])).toEqual([]);
});
