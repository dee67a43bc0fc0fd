// Jobs of packages: one for each version from the request to the end of the job, and workspaces alternate, however many
// slow documents one of them has.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { requestLocks } from "../content/request-locks.ts";
import { queueConcurrency } from "../queue/kinds.ts";
import { openQueue, type OpenQueue } from "../queue/open-queue.ts";
import type { OutboxRow } from "../queue/outbox.ts";
import { startRelay } from "../queue/relay.ts";
import { turns } from "../queue/turns-of-workspaces.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";
import { runJob, type JobHost } from "./run.ts";

let setup: Setup;
let busy: TestPerson;
let other: TestPerson;
let host: JobHost;
const projects = new Map<string, string>();
beforeAll(async () => {
  setup = await createSetup();
  [busy, other] = [await setup.person(), await setup.person()];
  for (const { token } of [busy, other]) projects.set(token, (await setup.project(token)).slug);
  // A registry that never answers: every attempt fails.
  const config = { ...setup.instance.config, packageRegistry: "http://127.0.0.1:1" };
  host = { db: setup.db, config, billing: null, renderer: null };
});
beforeEach(() => setup.db.run("DELETE FROM outbox"));
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

const content = (n: number) => `<script src="https://unpkg.com/slow-${n}@1.0.0/x.js"></script>`;

/** Publishes documents that load packages, and returns their identifiers in order. */
async function publish({ token }: TestPerson, count: number): Promise<string[]> {
  const artifactIds: string[] = [];
  for (let n = 0; n < count; n++) {
    const made = await setup.publish(token, projects.get(token) ?? "", { type: "html", content: content(n) });
    artifactIds.push(made.artifactId);
  }
  await setup.db.run("DELETE FROM outbox WHERE kind = 'head'");
  return artifactIds;
}

const request = (artifactIds: readonly string[]) =>
  requestLocks(
    setup.db,
    artifactIds.map((artifactId) => ({ artifactId, versionNumber: 1 })),
  );

const idOf = ({ payload }: OutboxRow) => payload["artifactId"] as string;

/** A queue that keeps the jobs that the relay hands over, as many as run at once being under way. */
function keepingQueue() {
  const inQueue: OutboxRow[] = [];
  const none = { waiting: 0, active: 0, failed: 0 };
  const real: OpenQueue = openQueue({ databaseUrl: setup.db.url }, () => undefined);
  return {
    ids: () => inQueue.map(idOf),
    /** Runs a relay until it has handed over as many jobs as have room. */
    async handOver() {
      const looked = Promise.withResolvers<void>();
      let looks = 0;
      const counting: OpenQueue = {
        ...real,
        add: (added) => {
          inQueue.push(...added.filter(({ kind }) => kind === "packages"));
          return Promise.resolve();
        },
        countsByQueue: () => {
          if (++looks === 2) looked.resolve();
          // The queue always has its scheduled job.
          const packages = { waiting: inQueue.length + 1, active: 0, failed: 0 };
          return Promise.resolve({ quick: none, billing: none, upkeep: none, thumbnail: none, images: none, packages });
        },
      };
      const relay = startRelay(setup.db, counting, (error) => looked.reject(error));
      relay.wake();
      // The second look starts after the first one has committed.
      await looked.promise;
      await relay.stop();
    },
    /** Runs the job for the artifact; its error is the outcome. */
    async run(artifactId: string, isLastTry: boolean) {
      const at = inQueue.findIndex((job) => idOf(job) === artifactId);
      const [job] = inQueue.splice(at, 1);
      if (job === undefined) throw new Error("no such job is in the queue");
      if (!isLastTry) inQueue.push(job);
      return runJob(host, "packages", { artifactId, versionNumber: 1 }, job.jobId, isLastTry).then(
        () => null,
        (error: Error) => error.message,
      );
    },
    close: () => real.close(),
  };
}

test("many slow documents of one workspace: the document of another is among the jobs that run at once", async () => {
  const queue = keepingQueue();
  const slow = await publish(busy, 12);
  await request(slow);
  await queue.handOver();
  expect(queue.ids()).toEqual(slow.slice(0, turns.packages.placesOfOne));
  const [newcomer = ""] = await publish(other, 1);
  await request([newcomer]);
  await queue.handOver();
  expect(queue.ids().slice(0, queueConcurrency.packages)).toContain(newcomer);
  // A slow one that is tried again keeps its place, and takes none of another workspace's.
  const [first = ""] = slow;
  expect(await queue.run(first, false)).toContain("could not be fetched");
  await queue.handOver();
  expect(queue.ids().filter((id) => slow.includes(id))).toHaveLength(turns.packages.placesOfOne);
  await queue.close();
});

test("one job for each version, until it has ended; then it can be asked for again", async () => {
  const queue = keepingQueue();
  const [artifactId = ""] = await publish(busy, 1);
  const asked = await Promise.all([1, 2, 3, 4].map(() => request([artifactId])));
  expect(asked.toSorted((one, other) => one - other)).toEqual([0, 0, 0, 1]);
  await queue.handOver();
  expect([await request([artifactId]), queue.ids()]).toEqual([0, [artifactId]]);
  for (const isLastTry of [false, true]) {
    expect([await request([artifactId]), await setup.count("outbox")]).toEqual([0, 1]);
    expect(await queue.run(artifactId, isLastTry)).toContain("could not be fetched");
  }
  expect([await setup.count("outbox"), await request([artifactId])]).toEqual([0, 1]);
  await queue.close();
});

test("screenshots and packages have separate places", async () => {
  const queue = keepingQueue();
  const artifactIds = await publish(busy, 1);
  await setup.db.run(
    `INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id, handed_over_at)
     SELECT gen_random_uuid(), 'thumbnail', '{}', 'thumbnail ' || n, a.workspace_id, now()
     FROM generate_series(1, 40) n, (SELECT workspace_id FROM artifact LIMIT 1) a`,
  );
  await request(artifactIds);
  await queue.handOver();
  expect(queue.ids()).toEqual(artifactIds);
  await queue.close();
});

test("the hourly job asks again for what is incomplete or was lost, and not for what is young, old or complete", async () => {
  const [due = "", young = "", old = "", complete = "", lost = "", deleted = ""] = await publish(busy, 6);
  const lock = (artifactId: string, isComplete: boolean, age: string) =>
    setup.db.run(
      `INSERT INTO package_lock (artifact_id, version_number, entries, is_complete, updated_at)
       VALUES ($1, 1, '[]', $2, now() - $3::text::interval)`,
      [uuidOf("art", artifactId), isComplete, age],
    );
  await lock(due, false, "11 minutes");
  await lock(young, false, "9 minutes");
  await lock(old, false, "8 days");
  await lock(complete, true, "11 minutes");
  // A thousand that wait the longest and are deleted take no place of others.
  await setup.db.run(
    `INSERT INTO version SELECT (jsonb_populate_record(v, jsonb_build_object('version_number', n))).*
     FROM version v, generate_series(2, 1001) n WHERE v.artifact_id = $1`,
    [uuidOf("art", deleted)],
  );
  await setup.db.run(
    `INSERT INTO package_lock (artifact_id, version_number, entries, is_complete, updated_at)
     SELECT artifact_id, version_number, '[]', false, now() - interval '12 minutes' FROM version WHERE artifact_id = $1`,
    [uuidOf("art", deleted)],
  );
  await setup.db.run("UPDATE artifact SET deleted_at = now() WHERE artifact_id = $1", [uuidOf("art", deleted)]);
  await setup.db.run("UPDATE version SET created_at = now() - interval '8 days' WHERE artifact_id = $1", [
    uuidOf("art", old),
  ]);
  await request([lost, young]);
  await setup.db.run(
    `UPDATE outbox SET handed_over_at = now() - CASE WHEN payload->>'artifactId' = $1 THEN interval '4 hours'
     ELSE interval '1 hour' END`,
    [lost],
  );
  await runJob(host, "packages-missing", {}, "job");
  const waiting = await setup.db.run<{ id: string }>(
    "SELECT payload->>'artifactId' AS id FROM outbox WHERE handed_over_at IS NULL",
  );
  expect(waiting.map(({ id }) => id).toSorted()).toEqual([due, lost].toSorted());
});
