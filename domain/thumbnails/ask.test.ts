// The sweep for pictures: what it asks for, in batches, and what it leaves alone.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { runJob, type JobHost } from "../jobs/run.ts";
import { createWorld, type TestPerson, type World } from "../testing.ts";
import { testPainter, type TestPainter } from "./testing.ts";

let world: World;
let owner: TestPerson;
let project: string;
let painter: TestPainter;
let host: JobHost;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.person();
  project = (await world.project(owner.token)).slug;
});
beforeEach(async () => {
  painter = testPainter();
  host = { db: world.db, config: world.instance.config, billing: null, painter };
  await world.db.run("DELETE FROM artifact");
  await world.db.run("DELETE FROM outbox");
});
afterAll(() => world.close());

const publish = async () => (await world.publish(owner.token, project)).artifactId;
const sweep = (by = host) => runJob(by, "thumbnails", {}, "job");
const take = (artifactId: string, by = host) => runJob(by, "thumbnail", { artifactId }, "job", true);

/** The artifacts that jobs in the outbox are to take pictures of; takes them out. */
const asked = async () =>
  (
    await world.db.run<{ id: string }>(
      "DELETE FROM outbox WHERE kind = 'thumbnail' RETURNING payload->>'artifactId' AS id",
    )
  ).map(({ id }) => id);

/** The sweeps that are to follow; takes them out. */
const goingOn = async () =>
  (await world.db.run<{ payload: object }>("DELETE FROM outbox WHERE kind = 'thumbnails' RETURNING payload")).map(
    ({ payload }) => payload,
  );

test("it asks for what was missed: never tried, of an earlier head, by another painter, or left by one that died", async () => {
  const [never, earlier, another, left, done, deleted] = await Promise.all(Array.from({ length: 6 }, publish));
  if (!never || !earlier || !another || !left || !done || !deleted) throw new Error("they were not made");
  for (const artifactId of [earlier, another, done]) await take(artifactId);
  await world.call("version.create", { artifactId: earlier, content: "# Newer" }, { as: owner.token });
  await world.db.run("UPDATE thumbnail SET painter = 'earlier' WHERE artifact_id = $1", [uuidOf("art", another)]);
  await world.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter, claimed_until) VALUES ($1, 0, 'test-1', now())",
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

test("it goes through all of many, newest first, and no more wait than there is room for", async () => {
  const first = await publish();
  await world.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id)
     SELECT gen_random_uuid(), project_id, workspace_id, 'many-' || n, type, title, 1, true, false, '{}', created_by, creator_id
     FROM artifact, generate_series(1, 7000) n WHERE artifact_id = $1`,
    [uuidOf("art", first)],
  );
  await sweep();
  const some = await asked();
  expect(some).toHaveLength(1000);
  expect(some).toEqual(some.toSorted().toReversed());
  const [next, ...others] = await goingOn();
  expect([next, others]).toEqual([{ after: some.at(-1) }, []]);
  // What was asked for and failed is not asked for again by the one that goes on.
  await runJob(host, "thumbnails", next ?? {}, "job");
  const more = await asked();
  expect(more).toHaveLength(1000);
  expect(more.filter((artifactId) => some.includes(artifactId))).toEqual([]);
  expect(await goingOn()).toEqual([{ after: more.at(-1) }]);
  // All but one are taken: it lies in the second batch.
  await world.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter) SELECT artifact_id, 1, $2 FROM artifact WHERE artifact_id <> $1",
    [uuidOf("art", first), painter.version],
  );
  await sweep();
  expect(await asked()).toEqual([first]);
  expect(await goingOn()).toEqual([]);
});

test("of those that sweep while there is no room none goes on but the one that filled it", async () => {
  await publish();
  await world.db.run(
    "INSERT INTO outbox (job_id, kind, payload) SELECT gen_random_uuid(), 'thumbnail', '{}' FROM generate_series(1, 1000)",
  );
  await sweep();
  expect(await goingOn()).toEqual([]);
  expect(await asked()).toHaveLength(1000);
});
