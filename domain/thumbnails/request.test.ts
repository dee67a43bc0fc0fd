// The sweep for missing screenshots: what it requests, in batches, and what it omits.
import { afterAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { runJob, type JobHost } from "../jobs/run.ts";
import type { CaptureErrorReason } from "../telemetry.ts";
import { createSetupWithProject } from "../test/context.ts";
import { requestPostponedScreenshots } from "./request.ts";
import { CaptureError } from "./renderer.ts";
import { testRenderer, type TestRenderer } from "./test/renderer.ts";

const { setup, owner, project } = await createSetupWithProject();
let renderer: TestRenderer;
let host: JobHost;
const other = await setup.person();
const otherProject = (await setup.project(other.token)).slug;
beforeEach(async () => {
  renderer = testRenderer();
  host = { db: setup.db, config: setup.instance.config, billing: null, renderer };
  await setup.db.run("DELETE FROM artifact");
  await setup.db.run("DELETE FROM outbox");
});
afterAll(() => setup.close());

const publish = async () => (await setup.publish(owner.token, project)).artifactId;
const publishElsewhere = async () => (await setup.publish(other.token, otherProject)).artifactId;
const sweep = (by = host) => runJob(by, "thumbnails", {}, "job");
const take = (artifactId: string, by = host) => runJob(by, "thumbnail", { artifactId }, "job", true);

/** Deletes the screenshot jobs from the outbox, and returns their artifacts in order. */
const takeRequested = async () =>
  (
    await setup.db.run<{ id: string }>(
      `WITH gone AS (DELETE FROM outbox WHERE kind = 'thumbnail' RETURNING job_id, payload)
       SELECT payload->>'artifactId' AS id FROM gone ORDER BY job_id`,
    )
  ).map(({ id }) => id);

/** Deletes the jobs that continue a sweep from the outbox, and returns their payloads. */
const takeContinuations = async () =>
  (
    await setup.db.run<{ payload: { after: string; begunAt: number } }>(
      "DELETE FROM outbox WHERE kind = 'thumbnails-next' RETURNING payload",
    )
  ).map(({ payload }) => payload);

/** Adds copies of an artifact. */
const multiply = (artifactId: string, count: number) =>
  setup.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id)
     SELECT gen_random_uuid(), project_id, workspace_id, 'many-' || n, type, title, 1, true, false, '{}', created_by, creator_id
     FROM artifact, generate_series(1, $2::int) n WHERE artifact_id = $1`,
    [uuidOf("art", artifactId), count],
  );
/** Adds waiting jobs of the first person's workspace. */
const addWaitingJobs = (count: number) =>
  setup.db.run(
    `INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
     SELECT gen_random_uuid(), 'thumbnail', '{}', 'full ' || n, $1 FROM generate_series(1, $2::int) n`,
    [uuidOf("wsp", owner.workspaceId), count],
  );

test("sweep: it requests versions without a screenshot, of an earlier renderer, and with an expired claim", async () => {
  const [never, earlier, another, left, done, deleted] = await Promise.all(Array.from({ length: 6 }, publish));
  if (!never || !earlier || !another || !left || !done || !deleted) throw new Error("there are no artifacts");
  for (const artifactId of [earlier, another, done]) await take(artifactId);
  await setup.call("version.create", { artifactId: earlier, content: "# Newer" }, { as: owner.token });
  await setup.db.run("UPDATE thumbnail SET painter = 0 WHERE artifact_id = $1", [uuidOf("art", another)]);
  await setup.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter, claimed_until) VALUES ($1, 0, 1, now())",
    [uuidOf("art", left)],
  );
  await setup.call("artifact.delete", { artifactId: deleted }, { as: owner.token });
  await takeRequested();
  await sweep();
  const found = await takeRequested();
  expect(found.toSorted()).toEqual([never, earlier, another, left].toSorted());
  for (const artifactId of found) await take(artifactId);
  await sweep();
  expect(await takeRequested()).toEqual([]);
});

test("sweep: it omits this renderer's failures, and requests versions that had no browser", async () => {
  const [failed, without] = [await publish(), await publish()];
  await setup.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter, failure) VALUES ($1, 1, $2, 'crashed')",
    [uuidOf("art", failed), renderer.version],
  );
  await take(without, { ...host, renderer: null });
  await sweep({ ...host, renderer: null });
  expect(await takeRequested()).toEqual([]);
  await sweep();
  expect(await takeRequested()).toEqual([without]);
});

test("two renderers at once: the later one's screenshots stay, and each version is captured twice at most", async () => {
  const later = testRenderer(2);
  const laterHost: JobHost = { ...host, renderer: later };
  const made = await Promise.all(Array.from({ length: 6 }, publish));
  await takeRequested();
  for (const [n, artifactId] of made.entries()) await take(artifactId, n % 2 === 0 ? host : laterHost);
  let rounds = 0;
  for (let quiet = 0; quiet < 4 && rounds < 40; rounds++) {
    // Both sweep, and either of them captures a requested version.
    await sweep(rounds % 2 === 0 ? host : laterHost);
    const found = await takeRequested();
    quiet = found.length === 0 ? quiet + 1 : 0;
    for (const [n, artifactId] of found.entries()) await take(artifactId, (n + rounds) % 3 === 0 ? host : laterHost);
  }
  expect(rounds).toBeLessThan(40);
  const rows = await setup.db.run<{ painter: number }>("SELECT painter FROM thumbnail");
  expect(rows.map(({ painter }) => painter)).toEqual(made.map(() => 2));
  expect([renderer.captured.length, later.captured.length]).toEqual([3, 6]);
});

/** Moves the captures of all rows back in time. */
const passHours = (hours: number) =>
  setup.db.run("UPDATE thumbnail SET taken_at = taken_at - make_interval(hours => $1::int)", [hours]);
const failCaptures = (reason: CaptureErrorReason) => {
  renderer.duringCapture = () => Promise.reject(new CaptureError(reason, { errors: [], console: [] }));
};

test("a capture that took too long is requested again after an hour", async () => {
  const artifactId = await publish();
  failCaptures("took too long");
  await take(artifactId);
  await takeRequested();
  await sweep();
  expect(await takeRequested()).toEqual([]);
  await take(artifactId);
  expect(renderer.captured).toHaveLength(1);
  await passHours(1);
  await sweep();
  expect(await takeRequested()).toEqual([artifactId]);
  renderer.duringCapture = null;
  await take(artifactId);
  const kept = "SELECT failure, late_rounds, large IS NOT NULL AS is_taken FROM thumbnail";
  expect(await setup.db.run<object>(kept)).toEqual([{ failure: null, late_rounds: 0, is_taken: true }]);
  await passHours(1);
  await sweep();
  expect(await takeRequested()).toEqual([]);
});

test("captures that always take too long: four rounds with growing delays, and again for another version or renderer", async () => {
  const artifactId = await publish();
  await takeRequested();
  failCaptures("took too long");
  /** The hours of the rounds. */
  const rounds = async () => {
    const hours: number[] = [];
    for (let hour = 0; hour < 50; hour++) {
      const before = renderer.captured.length;
      await sweep();
      for (const one of await takeRequested()) await take(one);
      // A second job in the same hour does nothing.
      await take(artifactId);
      if (renderer.captured.length > before) hours.push(hour);
      await passHours(1);
    }
    await passHours(1000);
    await sweep();
    expect(await takeRequested()).toEqual([]);
    expect(renderer.captured).toHaveLength(hours.length);
    renderer.captured.length = 0;
    return hours;
  };
  expect(await rounds()).toEqual([0, 1, 7, 43]);
  await setup.call("version.create", { artifactId, content: "# Newer" }, { as: owner.token });
  expect(await rounds()).toEqual([0, 1, 7, 43]);
  renderer.version = 2;
  expect(await rounds()).toEqual([0, 1, 7, 43]);
});

test("a capture that crashed or took too much memory is not requested again", async () => {
  for (const reason of ["crashed", "took too much memory"] as const) {
    const artifactId = await publish();
    failCaptures(reason);
    await take(artifactId);
  }
  await takeRequested();
  await passHours(1000);
  await sweep();
  expect(await takeRequested()).toEqual([]);
});

test("sweep: it checks all artifacts, newest first, and requests as many as have room", async () => {
  const first = await publish();
  await multiply(first, 7000);
  await sweep();
  const some = await takeRequested();
  expect(some).toHaveLength(1000);
  expect(some).toEqual(some.toSorted().toReversed());
  const [next, ...others] = await takeContinuations();
  expect([next?.after, others]).toEqual([some.at(-1), []]);
  // The continuation does not request a failed job again.
  await runJob(host, "thumbnails-next", { after: some.at(-1) ?? "" }, "job");
  const more = await takeRequested();
  expect(more).toHaveLength(1000);
  expect(more.filter((artifactId) => some.includes(artifactId))).toEqual([]);
  expect((await takeContinuations()).map(({ after }) => after)).toEqual(more.slice(-1));
  // All but one have a screenshot; that one is in the second batch.
  await setup.db.run(
    "INSERT INTO thumbnail (artifact_id, version_number, painter) SELECT artifact_id, 1, $2 FROM artifact WHERE artifact_id <> $1",
    [uuidOf("art", first), renderer.version],
  );
  await sweep();
  expect(await takeRequested()).toEqual([first]);
  expect(await takeContinuations()).toEqual([]);
});

test("sweep: a full workspace does not delay another one, and is continued until the next sweep", async () => {
  const [here, there] = [await publish(), await publishElsewhere()];
  await setup.db.run("DELETE FROM outbox");
  await multiply(here, 20);
  await addWaitingJobs(1000);
  // Two batches, of which the second finds the end, the requests of the first, and the continuation.
  expect(await setup.statementsOf(() => sweep())).toBe(4);
  const [next, ...others] = await takeContinuations();
  if (next === undefined) throw new Error("the sweep does not continue");
  expect(others).toEqual([]);
  expect((await takeRequested()).filter((artifactId) => artifactId !== null)).toEqual([there]);
  // The workspace has room now, and its newest artifacts come first.
  await runJob(host, "thumbnails-next", next, "job");
  const theirs = await takeRequested();
  expect([theirs.length, theirs.includes(here), await takeContinuations()]).toEqual([22, true, []]);
  await addWaitingJobs(1000);
  await runJob(host, "thumbnails-next", { ...next, begunAt: next.begunAt - 3600_000 }, "job");
  expect(await takeContinuations()).toEqual([]);
});

test("sweep: it alternates between workspaces, so that a few artifacts are requested beside thousands", async () => {
  const here = await publish();
  const few = await Promise.all(Array.from({ length: 5 }, publishElsewhere));
  await setup.db.run("DELETE FROM outbox");
  await multiply(here, 3000);
  await sweep();
  const found = await takeRequested();
  expect([found.length, few.filter((artifactId) => !found.includes(artifactId))]).toEqual([1000, []]);
});

test("postponed screenshots: they alternate between workspaces, and a sweep omits them", async () => {
  const [here, there] = [await publish(), await publishElsewhere()];
  await multiply(here, 300);
  await setup.db.run("DELETE FROM outbox");
  await setup.db.run(
    `INSERT INTO thumbnail (artifact_id, version_number, painter, postponed_at, postponements)
     SELECT artifact_id, 0, $1, now() - interval '1 hour' * CASE WHEN artifact_id = $2 THEN 7 ELSE 8 END, 20 FROM artifact`,
    [renderer.version, uuidOf("art", there)],
  );
  await sweep();
  expect([(await takeRequested()).length, await takeContinuations()]).toEqual([0, []]);
  expect(await setup.statementsOf(() => requestPostponedScreenshots(host, false))).toBe(3);
  const found = await takeRequested();
  expect([found.length, found.includes(there)]).toEqual([200, true]);
});
