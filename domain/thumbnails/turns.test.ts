// Screenshot jobs: at most one for each artifact from asking to the end of the job, and workspaces are served in turns.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { runJob, type JobHost } from "../jobs/run.ts";
import { openQueue, type OpenQueue } from "../queue/open-queue.ts";
import type { OutboxRow } from "../queue/outbox.ts";
import { startRelay, type Relay } from "../queue/relay.ts";
import { placesOfOne } from "../queue/turns-of-workspaces.ts";
import { waitsOr } from "../retention/testing.ts";
import { createWorld, type TestPerson, type World } from "../testing.ts";
import { askForPictures, askForPostponed } from "./ask.ts";
import { PaintFailure, tooLittleCpu } from "./painter.ts";
import { testPainter, type TestPainter } from "./testing.ts";
import { lookedFor } from "./version-pictures.ts";

let world: World;
let busy: TestPerson;
let other: TestPerson;
let painter: TestPainter;
let host: JobHost;
const projects = new Map<string, string>();
beforeAll(async () => {
  world = await createWorld();
  [busy, other] = [await world.person(), await world.person()];
  for (const { token } of [busy, other]) projects.set(token, (await world.project(token)).slug);
});
beforeEach(async () => {
  painter = testPainter();
  host = { db: world.db, config: world.instance.config, billing: null, painter };
  await world.db.run("DELETE FROM artifact");
  await world.db.run("DELETE FROM outbox");
});
afterAll(() => world.close());

const publish = async ({ token }: TestPerson) => {
  const { artifactId } = await world.publish(token, projects.get(token) ?? "");
  await world.db.run("DELETE FROM outbox WHERE kind = 'head'");
  return artifactId;
};
const many = (person: TestPerson, count: number) => Promise.all(Array.from({ length: count }, () => publish(person)));
/** What the job of a new latest version does about its screenshot. */
const ask = (...artifactIds: string[]) => askForPictures(world.db, artifactIds);

/** The artifacts that have rows, in the order of asking. */
const rows = async (where = "true") =>
  (
    await world.db.run<{ id: string }>(
      `SELECT payload->>'artifactId' AS id FROM outbox WHERE kind = 'thumbnail' AND ${where} ORDER BY job_id`,
    )
  ).map(({ id }) => id);

/** A queue that keeps what the relay hands over, in order, and runs what it is told to. */
function keepingQueue() {
  const waiting: OutboxRow[] = [];
  const none = { waiting: 0, active: 0, failed: 0 };
  const real: OpenQueue = openQueue({ databaseUrl: world.db.url }, () => undefined);
  const queue: OpenQueue = {
    ...real,
    add: (added) => {
      waiting.push(...added.filter(({ kind }) => kind === "thumbnail"));
      return Promise.resolve();
    },
    // Two schedules wait in the lane of screenshots at all times.
    lanes: () =>
      Promise.resolve({
        quick: none,
        billing: none,
        upkeep: none,
        thumbnail: { waiting: waiting.length + 2, active: 0, failed: 0 },
      }),
  };
  const artifactOf = ({ payload }: OutboxRow) => payload["artifactId"] as string;
  return {
    waiting: () => waiting.map(artifactOf),
    /** Lets a relay hand over what there is room for. */
    async handOver() {
      const looked = Promise.withResolvers<void>();
      let looks = 0;
      const counting: OpenQueue = {
        ...queue,
        lanes: () => {
          if (++looks === 2) looked.resolve();
          return queue.lanes();
        },
      };
      const relay: Relay = startRelay(world.db, counting, (error) => looked.reject(error));
      relay.wake();
      // The second look begins after the first one has committed.
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

test("concurrent asks for the same artifacts make one job each, and none waits for another without end", async () => {
  const made = await many(busy, 5);
  const asked = await Promise.all(
    Array.from({ length: 40 }, (_, n) => ask(...(n % 2 === 0 ? made : made.toReversed()))),
  );
  expect(asked.flatMap((one) => [...one]).toSorted()).toEqual(made.toSorted());
  expect((await rows()).toSorted()).toEqual(made.toSorted());
});

test("an ask that meets an uncommitted one waits for it, and makes a job where that is taken back", async () => {
  const artifactId = await publish(busy);
  let second: Promise<ReadonlySet<string>> = Promise.resolve(new Set());
  const taken = world.db.transaction(async (first) => {
    await askForPictures(first, [artifactId]);
    second = ask(artifactId);
    await waitsOr(world, second);
    throw new Error("taken back");
  });
  expect(await taken.catch((error: Error) => error.message)).toBe("taken back");
  expect(await second).toEqual(new Set([artifactId]));
  expect(await rows()).toEqual([artifactId]);
});

test("a job that the queue has keeps a second one out until it has ended, and a newer version gets one then", async () => {
  const artifactId = await publish(busy);
  const queue = keepingQueue();
  await ask(artifactId);
  await queue.handOver();
  expect(queue.waiting()).toEqual([artifactId]);
  const { token } = busy;
  for (const content of ["# Two", "# Three"]) {
    await world.call("version.create", { artifactId, content }, { as: token });
    expect(await ask(artifactId)).toEqual(new Set());
  }
  await queue.handOver();
  expect(queue.waiting()).toEqual([artifactId]);
  painter.meanwhile = async () => {
    painter.meanwhile = null;
    await world.call("version.create", { artifactId, content: "# Four" }, { as: token });
    expect(await ask(artifactId)).toEqual(new Set());
  };
  await queue.runNext();
  expect(await rows("handed_over_at IS NULL")).toEqual([artifactId]);
  await queue.handOver();
  await queue.runNext();
  expect(await world.count("outbox")).toBe(0);
  expect(painter.painted).toHaveLength(2);
  await queue.close();
});

test("a flood of republishing and a workspace with much to do: another workspace's new artifact comes in its turn", async () => {
  const queue = keepingQueue();
  const flooded = await many(busy, 2);
  for (let n = 0; n < 1200; n++) await ask(...flooded);
  expect(await world.count("outbox")).toBe(2);
  const rest = await many(busy, 40);
  await ask(...rest);
  await queue.handOver();
  // One workspace has some of the places, never all of them.
  expect(queue.waiting()).toEqual([...flooded, ...rest].slice(0, placesOfOne));
  const newcomer = await publish(other);
  expect(await ask(newcomer)).toEqual(new Set([newcomer]));
  await queue.handOver();
  expect(queue.waiting().indexOf(newcomer)).toBe(placesOfOne);
  for (let taken = 0; taken <= placesOfOne; taken++) {
    await queue.runNext();
    await ask(...flooded);
    await queue.handOver();
  }
  expect(await pictureOf(newcomer)).toBe("ready");
  await queue.close();
});

test("a workspace whose room is full leaves another workspace its own", async () => {
  const [here, there] = [await publish(busy), await publish(other)];
  await world.db.run(
    `INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
     SELECT gen_random_uuid(), 'thumbnail', '{}', 'full ' || n, $1 FROM generate_series(1, 1000) n`,
    [uuidOf("wsp", busy.workspaceId)],
  );
  expect(await ask(here, there)).toEqual(new Set([there]));
  await world.db.run("DELETE FROM outbox WHERE dedupe_key = 'full 1'");
  expect(await ask(here, there)).toEqual(new Set([here]));
});

const pictureOf = async (artifactId: string) => {
  const [row] = await world.db.run<{ taken: boolean; version: number }>(
    "SELECT large IS NOT NULL AS taken, version_number AS version FROM thumbnail WHERE artifact_id = $1",
    [uuidOf("art", artifactId)],
  );
  return row?.taken === true ? "ready" : row?.version === 1 ? "placeholder" : "pending";
};

test("when places are few, workspaces get them in turns, oldest job first within each", async () => {
  const people = [busy, other, await world.person()];
  const queue = keepingQueue();
  const made: string[][] = [];
  for (const person of people) {
    if (!projects.has(person.token)) projects.set(person.token, (await world.project(person.token)).slug);
    const theirs = await many(person, 4);
    made.push(theirs);
    await ask(...theirs);
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
    const person = await world.person();
    projects.set(person.token, (await world.project(person.token)).slug);
    for (const artifactId of await many(person, 9)) ownerOf.set(artifactId, n);
  }
  await ask(...ownerOf.keys());
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
  for (const person of [busy, other]) await ask(...(await many(person, placesOfOne)));
  await Promise.all([queue.handOver(), queue.handOver(), queue.handOver()]);
  await queue.handOver();
  const order = queue.waiting();
  expect(new Set(order).size).toBe(order.length);
  expect(order).toHaveLength(2 * placesOfOne);
  await queue.close();
});

const starve = () => {
  painter.meanwhile = () => Promise.reject(new PaintFailure(tooLittleCpu, { errors: [], console: [] }));
};
const passMinutes = (minutes: number) =>
  world.db.run("UPDATE thumbnail SET postponed_at = postponed_at - make_interval(mins => $1::int)", [minutes]);
const take = (artifactId: string, isLastTry: boolean) => runJob(host, "thumbnail", { artifactId }, "job", isLastTry);

test("a busy machine uses up no tries: the version stays pending, and is taken when the machine is quiet", async () => {
  const artifactId = await publish(busy);
  starve();
  for (let n = 1; n <= 5; n++) {
    await ask(artifactId);
    await world.db.run("UPDATE outbox SET handed_over_at = now()");
    // No attempt of the queue is used up: the job has ended without an error.
    await take(artifactId, false);
    expect(await pictureOf(artifactId)).toBe("pending");
    expect(await world.count("outbox")).toBe(0);
  }
  painter.meanwhile = null;
  await askForPostponed(host, true);
  expect(await rows()).toEqual([]);
  await passMinutes(10);
  // On a machine that is still busy it waits longer.
  await askForPostponed(host, false);
  expect(await rows()).toEqual([]);
  await askForPostponed(host, true);
  expect(await rows()).toEqual([artifactId]);
  await take(artifactId, false);
  expect(await pictureOf(artifactId)).toBe("ready");
  const [row] = await world.db.run<object>("SELECT postponed_at, postponements, failure FROM thumbnail");
  expect(row).toEqual({ postponed_at: null, postponements: 0, failure: null });
});

test("screenshots of deleted artifacts that were postponed keep no other from being asked for", async () => {
  const artifactId = await publish(busy);
  // As many deleted ones as are asked for at once, postponed earlier.
  await world.db.run(
    `INSERT INTO artifact (artifact_id, project_id, workspace_id, slug, type, title, latest_version, public_view,
       public_edit, viewer_emails, created_by, creator_id, deleted_at)
     SELECT gen_random_uuid(), project_id, workspace_id, 'deleted-' || n, type, title, 1, true, false, '{}', created_by,
       creator_id, now()
     FROM artifact, generate_series(1, 200) n WHERE artifact_id = $1`,
    [uuidOf("art", artifactId)],
  );
  await world.db.run(
    `INSERT INTO thumbnail (artifact_id, version_number, painter, postponed_at, postponements)
     SELECT artifact_id, 0, $1, now() - interval '1 hour' * CASE WHEN deleted_at IS NULL THEN 1 ELSE 2 END, 1 FROM artifact`,
    [painter.version],
  );
  await askForPostponed(host, true);
  expect(await rows()).toEqual([artifactId]);
});

test("a fault that is not the document's is postponed after the last try, and tried again within minutes", async () => {
  const artifactId = await publish(busy);
  painter.meanwhile = () => Promise.reject(new Error("the browser can't be started"));
  await ask(artifactId);
  await world.db.run("UPDATE outbox SET handed_over_at = now()");
  for (const isLastTry of [false, true]) {
    expect(await take(artifactId, isLastTry).catch((error: Error) => error.message)).toBe(
      "the browser can't be started",
    );
    // Its row keeps another job out as long as the queue tries again.
    expect(await world.count("outbox")).toBe(isLastTry ? 0 : 1);
  }
  await passMinutes(1);
  await askForPostponed(host, true);
  expect(await rows()).toEqual([artifactId]);
});

test("a job that the queue has lost is asked for again, and one that is only slow is not", async () => {
  const [lost, slow] = [await publish(busy), await publish(busy)];
  await ask(lost, slow);
  await world.db.run(
    "UPDATE outbox SET handed_over_at = now() - CASE WHEN payload->>'artifactId' = $1 THEN interval '11 minutes' ELSE interval '9 minutes' END",
    [lost],
  );
  await askForPostponed(host, true);
  expect(await rows("handed_over_at IS NULL")).toEqual([lost]);
  expect(await rows("handed_over_at IS NOT NULL")).toEqual([slow]);
});

test("pictures of older versions share the same places, one job each", async () => {
  const artifactId = await publish(busy);
  await world.call("version.create", { artifactId, content: "# Two" }, { as: busy.token });
  await world.db.run("DELETE FROM outbox");
  const context = { db: world.db, hasRoom: () => true, wakeRelay: () => undefined };
  await lookedFor(context, { artifactId }, 1, null);
  await world.db.run("UPDATE version_picture SET requested_at = now() - interval '11 minutes'");
  await lookedFor(context, { artifactId }, 1, null);
  const keyed = () =>
    world.db.run<object>("SELECT kind, dedupe_key AS key, workspace_id IS NOT NULL AS shared FROM outbox");
  expect(await keyed()).toEqual([{ kind: "version-picture", key: `version-picture ${artifactId} 1`, shared: true }]);
  await world.db.run("UPDATE outbox SET handed_over_at = now()");
  starve();
  await runJob(host, "version-picture", { artifactId, versionNumber: 1 }, "job", true);
  expect(await keyed()).toEqual([]);
  expect(await world.db.run<object>("SELECT failure, taken_at FROM version_picture")).toEqual([
    { failure: null, taken_at: null },
  ]);
});
