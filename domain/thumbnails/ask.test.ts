// The sweep for pictures: what it asks for, in batches, and what it leaves alone.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { runJob, type JobHost } from "../jobs/run.ts";
import type { PaintFailureReason } from "../telemetry.ts";
import { createWorld, type TestPerson, type World } from "../test/context.ts";
import { askForPostponed } from "./ask.ts";
import { PaintFailure } from "./painter.ts";
import { testPainter, type TestPainter } from "./test/renderer.ts";

let world: World;
let owner: TestPerson;
let project: string;
let other: TestPerson;
let otherProject: string;
let painter: TestPainter;
let host: JobHost;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
  project = (await world.project(owner.token)).slug;
  other = await world.person();
  otherProject = (await world.project(other.token)).slug;
});
beforeEach(async () => {
  painter = testPainter();
  host = { db: world.db, config: world.instance.config, billing: null, painter };
  await world.db.run("DELETE FROM artifact");
  await world.db.run("DELETE FROM outbox");
});
afterAll(() => world.close());

const publish = async () => (await world.publish(owner.token, project)).artifactId;
const publishElsewhere = async () => (await world.publish(other.token, otherProject)).artifactId;
const sweep = (by = host) => runJob(by, "thumbnails", {}, "job");
const take = (artifactId: string, by = host) => runJob(by, "thumbnail", { artifactId }, "job", true);

/** The artifacts that jobs in the outbox are to take pictures of, as they were asked for; takes them out. */
const asked = async () =>
  (
    await world.db.run<{ id: string }>(
      `WITH gone AS (DELETE FROM outbox WHERE kind = 'thumbnail' RETURNING job_id, payload)
       SELECT payload->>'artifactId' AS id FROM gone ORDER BY job_id`,
    )
  ).map(({ id }) => id);

/** The sweeps that are to follow; takes them out. */
const goingOn = async () =>
  (
    await world.db.run<{ payload: { after: string; begunAt: number } }>(
      "DELETE FROM outbox WHERE kind = 'thumbnails-next' RETURNING payload",
    )
  ).map(({ payload }) => payload);

/** So many more artifacts beside this one. */
const multiply = (artifactId: string, count: number) =>
  world.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id)
     SELECT gen_random_uuid(), project_id, workspace_id, 'many-' || n, type, title, 1, true, false, '{}', created_by, creator_id
     FROM artifact, generate_series(1, $2::int) n WHERE artifact_id = $1`,
    [uuidOf("art", artifactId), count],
  );
/** Has so many jobs of the first person's workspace wait that nobody sweeps for. */
const crowd = (count: number) =>
  world.db.run(
    `INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
     SELECT gen_random_uuid(), 'thumbnail', '{}', 'full ' || n, $1 FROM generate_series(1, $2::int) n`,
    [uuidOf("wsp", owner.workspaceId), count],
  );

test("it asks for what was missed: never tried, of an earlier head, by another painter, or left by one that died", async () => {
  const [never, earlier, another, left, done, deleted] = await Promise.all(Array.from({ length: 6 }, publish));
  if (!never || !earlier || !another || !left || !done || !deleted) throw new Error("they were not made");
  for (const artifactId of [earlier, another, done]) await take(artifactId);
  await world.call("version.create", { artifactId: earlier, content: "# Newer" }, { as: owner.token });
  await world.db.run("UPDATE thumbnail SET painter = 0 WHERE artifact_id = $1", [uuidOf("art", another)]);
  await world.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter, claimed_until) VALUES ($1, 0, 1, now())",
    [uuidOf("art", left)],
  );
  await world.call("artifact.delete", { artifactId: deleted }, { as: owner.token });
  await asked();
  await sweep();
  const found = await asked();
  expect(found.toSorted()).toEqual([never, earlier, another, left].toSorted());
  for (const artifactId of found) await take(artifactId);
  await sweep();
  expect(await asked()).toEqual([]);
});

test("it leaves alone what this painter failed at, and asks again for what there was no browser for", async () => {
  const [failed, without] = [await publish(), await publish()];
  await world.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter, failure) VALUES ($1, 1, $2, 'crashed')",
    [uuidOf("art", failed), painter.version],
  );
  await take(without, { ...host, painter: null });
  await sweep({ ...host, painter: null });
  expect(await asked()).toEqual([]);
  await sweep();
  expect(await asked()).toEqual([without]);
});

test("two painters side by side come to rest: the later one's pictures stay, and each head is taken twice at most", async () => {
  const later = testPainter(2);
  const beside: JobHost = { ...host, painter: later };
  const made = await Promise.all(Array.from({ length: 6 }, publish));
  await asked();
  for (const [n, artifactId] of made.entries()) await take(artifactId, n % 2 === 0 ? host : beside);
  let rounds = 0;
  for (let quiet = 0; quiet < 4 && rounds < 40; rounds++) {
    // Either sweeps, and whoever comes first takes what was asked for.
    await sweep(rounds % 2 === 0 ? host : beside);
    const found = await asked();
    quiet = found.length === 0 ? quiet + 1 : 0;
    for (const [n, artifactId] of found.entries()) await take(artifactId, (n + rounds) % 3 === 0 ? host : beside);
  }
  expect(rounds).toBeLessThan(40);
  const rows = await world.db.run<{ painter: number }>("SELECT painter FROM thumbnail");
  expect(rows.map(({ painter }) => painter)).toEqual(made.map(() => 2));
  expect([painter.painted.length, later.painted.length]).toEqual([3, 6]);
});

/** What the rows say happened so long ago. */
const passes = (hours: number) =>
  world.db.run("UPDATE thumbnail SET taken_at = taken_at - make_interval(hours => $1::int)", [hours]);
const failing = (reason: PaintFailureReason) => {
  painter.meanwhile = () => Promise.reject(new PaintFailure(reason, { errors: [], console: [] }));
};

test("what took too long is tried again an hour later, when the machine may have less to do", async () => {
  const artifactId = await publish();
  failing("took too long");
  await take(artifactId);
  await asked();
  await sweep();
  expect(await asked()).toEqual([]);
  await take(artifactId);
  expect(painter.painted).toHaveLength(1);
  await passes(1);
  await sweep();
  expect(await asked()).toEqual([artifactId]);
  painter.meanwhile = null;
  await take(artifactId);
  const kept = "SELECT failure, late_rounds, large IS NOT NULL AS is_taken FROM thumbnail";
  expect(await world.db.run<object>(kept)).toEqual([{ failure: null, late_rounds: 0, is_taken: true }]);
  await passes(1);
  await sweep();
  expect(await asked()).toEqual([]);
});

test("what takes too long each time is tried in four rounds ever further apart, and anew for another head or painter", async () => {
  const artifactId = await publish();
  await asked();
  failing("took too long");
  /** After how many hours each round came. */
  const rounds = async () => {
    const came: number[] = [];
    for (let hour = 0; hour < 50; hour++) {
      const before = painter.painted.length;
      await sweep();
      for (const one of await asked()) await take(one);
      // Once more in the same hour: nothing comes of it.
      await take(artifactId);
      if (painter.painted.length > before) came.push(hour);
      await passes(1);
    }
    await passes(1000);
    await sweep();
    expect(await asked()).toEqual([]);
    expect(painter.painted).toHaveLength(came.length);
    painter.painted.length = 0;
    return came;
  };
  expect(await rounds()).toEqual([0, 1, 7, 43]);
  await world.call("version.create", { artifactId, content: "# Newer" }, { as: owner.token });
  expect(await rounds()).toEqual([0, 1, 7, 43]);
  painter.version = 2;
  expect(await rounds()).toEqual([0, 1, 7, 43]);
});

test("what crashed, or took too much memory, is not tried again", async () => {
  for (const reason of ["crashed", "took too much memory"] as const) {
    const artifactId = await publish();
    failing(reason);
    await take(artifactId);
  }
  await asked();
  await passes(1000);
  await sweep();
  expect(await asked()).toEqual([]);
});

test("it goes through all of many, newest first, and no more wait than there is room for", async () => {
  const first = await publish();
  await multiply(first, 7000);
  await sweep();
  const some = await asked();
  expect(some).toHaveLength(1000);
  expect(some).toEqual(some.toSorted().toReversed());
  const [next, ...others] = await goingOn();
  expect([next?.after, others]).toEqual([some.at(-1), []]);
  // What was asked for and failed is not asked for again by the one that goes on.
  await runJob(host, "thumbnails-next", { after: some.at(-1) ?? "" }, "job");
  const more = await asked();
  expect(more).toHaveLength(1000);
  expect(more.filter((artifactId) => some.includes(artifactId))).toEqual([]);
  expect((await goingOn()).map(({ after }) => after)).toEqual(more.slice(-1));
  // All but one are taken: it lies in the second batch.
  await world.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter) SELECT artifact_id, 1, $2 FROM artifact WHERE artifact_id <> $1",
    [uuidOf("art", first), painter.version],
  );
  await sweep();
  expect(await asked()).toEqual([first]);
  expect(await goingOn()).toEqual([]);
});

test("a workspace whose room is full holds up no other's sweep, and is gone on with until the next one has begun", async () => {
  const [here, there] = [await publish(), await publishElsewhere()];
  await world.db.run("DELETE FROM outbox");
  await multiply(here, 20);
  await crowd(1000);
  // Two looks, the second of which finds the end, what the first asks for, and the job that goes on.
  expect(await world.statementsOf(() => sweep())).toBe(4);
  const [next, ...others] = await goingOn();
  if (next === undefined) throw new Error("the sweep does not go on");
  expect(others).toEqual([]);
  expect((await asked()).filter((artifactId) => artifactId !== null)).toEqual([there]);
  // There is room now: it begins with the newest.
  await runJob(host, "thumbnails-next", next, "job");
  const theirs = await asked();
  expect([theirs.length, theirs.includes(here), await goingOn()]).toEqual([22, true, []]);
  await crowd(1000);
  await runJob(host, "thumbnails-next", { ...next, begunAt: next.begunAt - 3600_000 }, "job");
  expect(await goingOn()).toEqual([]);
});

test("a sweep asks in turns by workspace: one with few gets all of theirs beside one with thousands", async () => {
  const here = await publish();
  const few = await Promise.all(Array.from({ length: 5 }, publishElsewhere));
  await world.db.run("DELETE FROM outbox");
  await multiply(here, 3000);
  await sweep();
  const found = await asked();
  expect([found.length, few.filter((artifactId) => !found.includes(artifactId))]).toEqual([1000, []]);
});

test("what was postponed is asked for in turns by workspace, and by no sweep before its time", async () => {
  const [here, there] = [await publish(), await publishElsewhere()];
  await multiply(here, 300);
  await world.db.run("DELETE FROM outbox");
  await world.db.run(
    `INSERT INTO thumbnail (artifact_id, version_number, painter, postponed_at, postponements)
     SELECT artifact_id, 0, $1, now() - interval '1 hour' * CASE WHEN artifact_id = $2 THEN 7 ELSE 8 END, 20 FROM artifact`,
    [painter.version, uuidOf("art", there)],
  );
  await sweep();
  expect([(await asked()).length, await goingOn()]).toEqual([0, []]);
  expect(await world.statementsOf(() => askForPostponed(host, false))).toBe(3);
  const found = await asked();
  expect([found.length, found.includes(there)]).toEqual([200, true]);
});
