// Screenshot jobs: at most one for each artifact from the request to the end of the job, and workspaces alternate.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { runJob, type JobHost } from "../jobs/run.ts";
import { openQueue, type OpenQueue } from "../queue/open-queue.ts";
import type { OutboxRow } from "../queue/outbox.ts";
import { startRelay, type Relay } from "../queue/relay.ts";
import { turns } from "../queue/turns-of-workspaces.ts";
import { waitsOr } from "../retention/test/old-artifacts.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { requestPostponedScreenshots, requestScreenshots } from "./request.ts";
import { CaptureError, tooLittleCpu } from "./renderer.ts";
import { testRenderer, type TestRenderer } from "./test/renderer.ts";
import { useVersionScreenshot } from "./version-screenshots.ts";

const { placesOfOne } = turns.thumbnail;

let setup: Setup;
let busy: TestPerson;
let other: TestPerson;
let renderer: TestRenderer;
let host: JobHost;
const projects = new Map<string, string>();
beforeAll(async () => {
  setup = await createSetup();
  [busy, other] = [await setup.person(), await setup.person()];
  for (const { token } of [busy, other]) projects.set(token, (await setup.project(token)).slug);
});
beforeEach(async () => {
  renderer = testRenderer();
  host = { db: setup.db, config: setup.instance.config, billing: null, renderer };
  await setup.db.run("DELETE FROM artifact");
  await setup.db.run("DELETE FROM outbox");
});
afterAll(() => setup.close());

const publish = async ({ token }: TestPerson) => {
  const { artifactId } = await setup.publish(token, projects.get(token) ?? "");
  await setup.db.run("DELETE FROM outbox WHERE kind = 'head'");
  return artifactId;
};
const many = (person: TestPerson, count: number) => Promise.all(Array.from({ length: count }, () => publish(person)));
/** As the job `head` does for a new latest version. */
const request = (...artifactIds: string[]) => requestScreenshots(setup.db, artifactIds);

/** The artifacts that have rows, in the order of the requests. */
const rows = async (where = "true") =>
  (
    await setup.db.run<{ id: string }>(
      `SELECT payload->>'artifactId' AS id FROM outbox WHERE kind = 'thumbnail' AND ${where} ORDER BY job_id`,
    )
  ).map(({ id }) => id);

/** A queue that collects the jobs that the relay hands over, and runs them when the test says so. */
function keepingQueue() {
  const waiting: OutboxRow[] = [];
  const none = { waiting: 0, active: 0, failed: 0 };
  const real: OpenQueue = openQueue({ databaseUrl: setup.db.url }, () => undefined);
  const queue: OpenQueue = {
    ...real,
    add: (added) => {
      waiting.push(...added.filter(({ kind }) => kind === "thumbnail"));
      return Promise.resolve();
    },
    // The queue of screenshots always has two scheduled jobs.
    countsByQueue: () =>
      Promise.resolve({
        quick: none,
        billing: none,
        upkeep: none,
        images: none,
        packages: none,
        thumbnail: { waiting: waiting.length + 2, active: 0, failed: 0 },
      }),
  };
  const artifactOf = ({ payload }: OutboxRow) => payload["artifactId"] as string;
  return {
    waiting: () => waiting.map(artifactOf),
    /** Runs a relay until it has handed over as many jobs as have room. */
    async handOver() {
      const looked = Promise.withResolvers<void>();
      let looks = 0;
      const counting: OpenQueue = {
        ...queue,
        countsByQueue: () => {
          if (++looks === 2) looked.resolve();
          return queue.countsByQueue();
        },
      };
      const relay: Relay = startRelay(setup.db, counting, (error) => looked.reject(error));
      relay.wake();
      // The second check starts after the first one has committed.
      await looked.promise;
      await relay.stop();
    },
    async runNext() {
      const job = waiting.shift();
      if (job === undefined) throw new Error("no job waits");
      await runJob(host, "thumbnail", { artifactId: artifactOf(job) }, job.jobId, true);
      return artifactOf(job);
    },
    close: () => real.close(),
  };
}

test("concurrent requests for the same artifacts: one job each, and no deadlock", async () => {
  const made = await many(busy, 5);
  const asked = await Promise.all(
    Array.from({ length: 40 }, (_, n) => request(...(n % 2 === 0 ? made : made.toReversed()))),
  );
  expect(asked.flatMap((one) => [...one]).toSorted()).toEqual(made.toSorted());
  expect((await rows()).toSorted()).toEqual(made.toSorted());
});

test("a request waits for an uncommitted one, and inserts a job where that is rolled back", async () => {
  const artifactId = await publish(busy);
  let second: Promise<ReadonlySet<string>> = Promise.resolve(new Set());
  const taken = setup.db.transaction(async (first) => {
    await requestScreenshots(first, [artifactId]);
    second = request(artifactId);
    await waitsOr(setup, second);
    throw new Error("taken back");
  });
  expect(await taken.catch((error: Error) => error.message)).toBe("taken back");
  expect(await second).toEqual(new Set([artifactId]));
  expect(await rows()).toEqual([artifactId]);
});

test("a job in the queue prevents a second one until it ends; then a newer version gets one", async () => {
  const artifactId = await publish(busy);
  const queue = keepingQueue();
  await request(artifactId);
  await queue.handOver();
  expect(queue.waiting()).toEqual([artifactId]);
  const { token } = busy;
  for (const content of ["# Two", "# Three"]) {
    await setup.call("version.create", { artifactId, content }, { as: token });
    expect(await request(artifactId)).toEqual(new Set());
  }
  await queue.handOver();
  expect(queue.waiting()).toEqual([artifactId]);
  renderer.duringCapture = async () => {
    renderer.duringCapture = null;
    await setup.call("version.create", { artifactId, content: "# Four" }, { as: token });
    expect(await request(artifactId)).toEqual(new Set());
  };
  await queue.runNext();
  expect(await rows("handed_over_at IS NULL")).toEqual([artifactId]);
  await queue.handOver();
  await queue.runNext();
  expect(await setup.count("outbox")).toBe(0);
  expect(renderer.captured).toHaveLength(2);
  await queue.close();
});

test("many new versions in one workspace do not delay the new artifact of another workspace", async () => {
  const queue = keepingQueue();
  const flooded = await many(busy, 2);
  for (let n = 0; n < 1200; n++) await request(...flooded);
  expect(await setup.count("outbox")).toBe(2);
  const rest = await many(busy, 40);
  await request(...rest);
  await queue.handOver();
  // One workspace has some of the places, never all of them.
  expect(queue.waiting()).toEqual([...flooded, ...rest].slice(0, placesOfOne));
  const newcomer = await publish(other);
  expect(await request(newcomer)).toEqual(new Set([newcomer]));
  await queue.handOver();
  expect(queue.waiting().indexOf(newcomer)).toBe(placesOfOne);
  for (let taken = 0; taken <= placesOfOne; taken++) {
    await queue.runNext();
    await request(...flooded);
    await queue.handOver();
  }
  expect(await stateOf(newcomer)).toBe("ready");
  await queue.close();
});

test("a full workspace leaves the room of another workspace free", async () => {
  const [here, there] = [await publish(busy), await publish(other)];
  await setup.db.run(
    `INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
     SELECT gen_random_uuid(), 'thumbnail', '{}', 'full ' || n, $1 FROM generate_series(1, 1000) n`,
    [uuidOf("wsp", busy.workspaceId)],
  );
  expect(await request(here, there)).toEqual(new Set([there]));
  await setup.db.run("DELETE FROM outbox WHERE dedupe_key = 'full 1'");
  expect(await request(here, there)).toEqual(new Set([here]));
});

const stateOf = async (artifactId: string) => {
  const [row] = await setup.db.run<{ taken: boolean; version: number }>(
    "SELECT large IS NOT NULL AS taken, version_number AS version FROM thumbnail WHERE artifact_id = $1",
    [uuidOf("art", artifactId)],
  );
  return row?.taken === true ? "ready" : row?.version === 1 ? "placeholder" : "pending";
};

test("few places: workspaces alternate, with the oldest job of each first", async () => {
  const people = [busy, other, await setup.person()];
  const queue = keepingQueue();
  const made: string[][] = [];
  for (const person of people) {
    if (!projects.has(person.token)) projects.set(person.token, (await setup.project(person.token)).slug);
    const theirs = await many(person, 4);
    made.push(theirs);
    await request(...theirs);
  }
  await queue.handOver();
  const order = queue.waiting();
  for (let turn = 0; turn < 4; turn++)
    expect(order.slice(turn * 3, turn * 3 + 3).toSorted()).toEqual(made.map((one) => one[turn] ?? "").toSorted());
  await queue.close();
});

test("all workspaces together have 32 places in the queue, each has 8", async () => {
  const queue = keepingQueue();
  const ownerOf = new Map<string, number>();
  for (let n = 0; n < 5; n++) {
    const person = await setup.person();
    projects.set(person.token, (await setup.project(person.token)).slug);
    for (const artifactId of await many(person, 9)) ownerOf.set(artifactId, n);
  }
  await request(...ownerOf.keys());
  await queue.handOver();
  const waiting = queue.waiting();
  expect(waiting).toHaveLength(32);
  const ofEach = [0, 1, 2, 3, 4].map((n) => waiting.filter((artifactId) => ownerOf.get(artifactId) === n).length);
  expect(Math.max(...ofEach)).toBeLessThanOrEqual(8);
  for (let n = 0; n < 3; n++) await queue.runNext();
  await queue.handOver();
  expect(queue.waiting()).toHaveLength(32);
  await queue.close();
});

test("two relays at once hand each job over once", async () => {
  const queue = keepingQueue();
  for (const person of [busy, other]) await request(...(await many(person, placesOfOne)));
  await Promise.all([queue.handOver(), queue.handOver(), queue.handOver()]);
  await queue.handOver();
  const order = queue.waiting();
  expect(new Set(order).size).toBe(order.length);
  expect(order).toHaveLength(2 * placesOfOne);
  await queue.close();
});

const starve = () => {
  renderer.duringCapture = () => Promise.reject(new CaptureError(tooLittleCpu, { errors: [], console: [] }));
};
const passMinutes = (minutes: number) =>
  setup.db.run("UPDATE thumbnail SET postponed_at = postponed_at - make_interval(mins => $1::int)", [minutes]);
const take = (artifactId: string, isLastTry: boolean) => runJob(host, "thumbnail", { artifactId }, "job", isLastTry);

test("a busy machine uses up no tries: the version stays pending, and is captured when the machine is idle", async () => {
  const artifactId = await publish(busy);
  starve();
  for (let n = 1; n <= 5; n++) {
    await request(artifactId);
    await setup.db.run("UPDATE outbox SET handed_over_at = now()");
    // The job ends without an error, so the queue counts no failed attempt.
    await take(artifactId, false);
    expect(await stateOf(artifactId)).toBe("pending");
    expect(await setup.count("outbox")).toBe(0);
  }
  renderer.duringCapture = null;
  await requestPostponedScreenshots(host, true);
  expect(await rows()).toEqual([]);
  await passMinutes(10);
  // The delay is longer on a machine that is still busy.
  await requestPostponedScreenshots(host, false);
  expect(await rows()).toEqual([]);
  await requestPostponedScreenshots(host, true);
  expect(await rows()).toEqual([artifactId]);
  await take(artifactId, false);
  expect(await stateOf(artifactId)).toBe("ready");
  const [row] = await setup.db.run<object>("SELECT postponed_at, postponements, failure FROM thumbnail");
  expect(row).toEqual({ postponed_at: null, postponements: 0, failure: null });
});

test("postponed screenshots of deleted artifacts do not delay the requests of others", async () => {
  const artifactId = await publish(busy);
  // As many deleted ones as are requested at once, postponed earlier.
  await setup.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id, deleted_at)
     SELECT gen_random_uuid(), project_id, workspace_id, 'deleted-' || n, type, title, 1, true, false, '{}', created_by,
       creator_id, now()
     FROM artifact, generate_series(1, 200) n WHERE artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  await setup.db.run(
    `INSERT INTO thumbnail (artifact_id, version_number, painter, postponed_at, postponements)
     SELECT artifact_id, 0, $1, now() - interval '1 hour' * CASE WHEN deleted_at IS NULL THEN 1 ELSE 2 END, 1 FROM artifact`,
    [renderer.version],
  );
  await requestPostponedScreenshots(host, true);
  expect(await rows()).toEqual([artifactId]);
});

test("an error that the document did not cause: postponed after the last try, and requested within minutes", async () => {
  const artifactId = await publish(busy);
  renderer.duringCapture = () => Promise.reject(new Error("the browser can't be started"));
  await request(artifactId);
  await setup.db.run("UPDATE outbox SET handed_over_at = now()");
  for (const isLastTry of [false, true]) {
    expect(await take(artifactId, isLastTry).catch((error: Error) => error.message)).toBe(
      "the browser can't be started",
    );
    // Its row prevents another job while the queue retries this one.
    expect(await setup.count("outbox")).toBe(isLastTry ? 0 : 1);
  }
  await passMinutes(1);
  await requestPostponedScreenshots(host, true);
  expect(await rows()).toEqual([artifactId]);
});

test("a job that the queue lost is requested again, and a slow one is not", async () => {
  const [lost, slow] = [await publish(busy), await publish(busy)];
  await request(lost, slow);
  await setup.db.run(
    "UPDATE outbox SET handed_over_at = now() - CASE WHEN payload->>'artifactId' = $1 THEN interval '11 minutes' ELSE interval '9 minutes' END",
    [lost],
  );
  await requestPostponedScreenshots(host, true);
  expect(await rows("handed_over_at IS NULL")).toEqual([lost]);
  expect(await rows("handed_over_at IS NOT NULL")).toEqual([slow]);
});

test("screenshots of older versions share the same places, one job each", async () => {
  const artifactId = await publish(busy);
  await setup.call("version.create", { artifactId, content: "# Two" }, { as: busy.token });
  await setup.db.run("DELETE FROM outbox");
  const context = { db: setup.db, hasRoom: () => true, wakeRelay: () => undefined };
  await useVersionScreenshot(context, { artifactId }, 1, null);
  await setup.db.run("UPDATE version_picture SET requested_at = now() - interval '11 minutes'");
  await useVersionScreenshot(context, { artifactId }, 1, null);
  const keyed = () =>
    setup.db.run<object>("SELECT kind, dedupe_key AS key, workspace_id IS NOT NULL AS shared FROM outbox");
  expect(await keyed()).toEqual([{ kind: "version-picture", key: `version-picture ${artifactId} 1`, shared: true }]);
  await setup.db.run("UPDATE outbox SET handed_over_at = now()");
  starve();
  await runJob(host, "version-picture", { artifactId, versionNumber: 1 }, "job", true);
  expect(await keyed()).toEqual([]);
  expect(await setup.db.run<object>("SELECT failure, taken_at FROM version_picture")).toEqual([
    { failure: null, taken_at: null },
  ]);
});
