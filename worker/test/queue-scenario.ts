// Requirements on the queue with either backend, for the test of each.
import { expect } from "bun:test";
import { kinds, type JobKind, type QueueName } from "@plinth/domain/queue/kinds";
import { openQueue, type QueuePlace } from "@plinth/domain/queue/open-queue";
import { openedQueue } from "@plinth/domain/test/opened-queue";
import { openWorker } from "@plinth/domain/queue/open-worker";
import type { OutboxRow } from "@plinth/domain/queue/outbox";
import { UnrecoverableError } from "bullmq";

const rowOf = (payload: OutboxRow["payload"]): OutboxRow => ({
  jobId: `job_${Bun.randomUUIDv7()}`,
  kind: "head",
  payload,
});

/** Rows become jobs once, even if handed over several times. A failed job is retried, and a dead one is kept. */
export async function queueScenario(place: QueuePlace): Promise<void> {
  const failures: unknown[] = [];
  const queue = await openedQueue(place, (error) => failures.push(error));
  const [fine, flaky, dead] = [rowOf({ n: 1 }), rowOf({ n: 2 }), rowOf({ n: 3 })];
  await queue.add([fine, flaky, dead]);
  await queue.add([fine, flaky]);
  expect((await queue.counts()).waiting).toBe(3);
  const waiting = await queue.list(10);
  expect(new Set(waiting.map(({ jobId }) => jobId))).toEqual(new Set([fine.jobId, flaky.jobId, dead.jobId]));

  const runs = new Map<string, number>();
  let isMended = false;
  const worker = openWorker(
    place,
    async ({ id = "", attemptsMade }) => {
      runs.set(id, (runs.get(id) ?? 0) + 1);
      if (id === flaky.jobId && attemptsMade === 0) throw new Error("the first try fails");
      if (id === dead.jobId && !isMended) throw new UnrecoverableError("it never works for ada@example.com");
    },
    (error) => failures.push(error),
  );
  await until(async () => runs.get(flaky.jobId) === 2 && (await queue.counts()).failed === 1);
  expect(runs.get(fine.jobId)).toBe(1);
  const [kept] = await queue.list(10);
  expect(kept).toMatchObject({ jobId: dead.jobId, kind: "head", queue: "quick", state: "failed", attempts: 1 });
  expect(kept?.error).toBe("it never works for <email>");
  expect(await queue.list(10, "failed")).toEqual(kept === undefined ? [] : [kept]);
  expect(await queue.list(10, "waiting")).toEqual([]);

  isMended = true;
  expect(await queue.retry("job_none")).toBeNull();
  expect(await queue.retry(dead.jobId)).toMatchObject({ jobId: dead.jobId });
  await until(async () => (await queue.list(10)).length === 0);
  await worker.close();
  await queue.close();
  expect(failures).toEqual([]);
}

/** Each kind goes to its queue, a delayed job waits, and scheduled jobs run once for all processes. */
export async function lanesScenario(place: QueuePlace): Promise<void> {
  const failures: unknown[] = [];
  const open = () => openQueue(place, (error) => failures.push(error));
  const queue = open();
  // Processes that start at the same moment on an empty queue.
  const others = [open(), open(), open()];
  await Promise.all([queue, ...others].map((one) => one.schedule()));
  const scheduled = (await queue.schedules()).map(({ kind }) => kind).toSorted();
  const regular = Object.entries(kinds).filter(([, { everyMs }]) => everyMs !== undefined);
  expect(scheduled).toEqual(regular.map(([kind]) => kind as JobKind).toSorted());
  expect(scheduled).not.toHaveLength(0);
  for (const { everySeconds, nextAt } of await queue.schedules()) {
    expect(everySeconds).toBeGreaterThanOrEqual(60);
    expect(Date.parse(nextAt ?? "")).not.toBeNaN();
  }

  const screenshot: OutboxRow = { ...rowOf({ artifactId: "art_x" }), kind: "thumbnail" };
  const head = rowOf({ n: 1 });
  const before = await queue.countsByQueue();
  await queue.add([screenshot, head]);
  const after = await queue.countsByQueue();
  const added = (name: QueueName) => after[name].waiting - before[name].waiting;
  expect([added("quick"), added("thumbnail"), added("upkeep")]).toEqual([1, 1, 0]);
  expect(await queue.list(10, "delayed")).toContainEqual(
    expect.objectContaining({ jobId: screenshot.jobId, queue: "thumbnail" }),
  );

  const done: { name: string; id: string; waitedMs: number }[] = [];
  /** The screenshot is in progress until this settles. */
  const taken = Promise.withResolvers<void>();
  const worker = openWorker(
    place,
    async ({ name, id = "", timestamp }) => {
      done.push({ name, id, waitedMs: Date.now() - timestamp });
      if (name === "thumbnail") await taken.promise;
    },
    (error) => failures.push(error),
  );
  await until(() => Promise.resolve(done.some(({ id }) => id === screenshot.jobId)));
  expect(done.find(({ id }) => id === screenshot.jobId)?.waitedMs).toBeGreaterThanOrEqual(1400);
  // A slow job does not delay other queues.
  const late = rowOf({ n: 2 });
  await queue.add([late]);
  await until(() => Promise.resolve(done.some(({ id }) => id === late.jobId)));
  await until(() => Promise.resolve(new Set(done.map(({ name }) => name)).isSupersetOf(new Set(scheduled))));
  taken.resolve();
  // A job that is scheduled each minute may run twice during this test.
  const hourly = scheduled.filter((kind) => kind !== "thumbnails-postponed");
  for (const kind of hourly) expect(done.filter(({ name }) => name === kind)).toHaveLength(1);
  await worker.close();
  await Promise.all([queue, ...others].map((one) => one.close()));
  expect(failures).toEqual([]);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isSo()) return;
    await Bun.sleep(100);
  }
  throw new Error("timed out after 30 s");
}
