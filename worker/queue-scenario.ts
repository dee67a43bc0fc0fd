// What must hold of the queue on either backend, for the test of each.
import { expect } from "bun:test";
import { openQueue } from "@plinth/domain/jobs/open-queue";
import { openWorker } from "@plinth/domain/jobs/open-worker";
import type { QueuePlace } from "@plinth/domain/jobs/queue-place";
import type { OutboxRow } from "@plinth/domain/jobs/outbox";
import { UnrecoverableError } from "bullmq";

const rowOf = (payload: OutboxRow["payload"]): OutboxRow => ({
  jobId: `job_${Bun.randomUUIDv7()}`,
  kind: "head",
  payload,
});

/** Rows become jobs once, however often they are handed over; a failed one is tried again; a dead one is kept. */
export async function queueScenario(place: QueuePlace): Promise<void> {
  const failures: unknown[] = [];
  const queue = openQueue(place, (error) => failures.push(error));
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
      if (id === dead.jobId && !isMended) throw new UnrecoverableError("it never works");
    },
    (error) => failures.push(error),
  );
  await until(async () => runs.get(flaky.jobId) === 2 && (await queue.counts()).failed === 1);
  expect(runs.get(fine.jobId)).toBe(1);
  const [kept] = (await queue.list(10)).filter(({ state }) => state === "failed");
  expect(kept).toMatchObject({ jobId: dead.jobId, kind: "head", error: "it never works" });

  isMended = true;
  expect(await queue.retry("job_none")).toBeNull();
  expect(await queue.retry(dead.jobId)).toMatchObject({ jobId: dead.jobId });
  await until(async () => (await queue.list(10)).length === 0);
  await worker.close();
  await queue.close();
  expect(failures).toEqual([]);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await isSo()) return;
    await Bun.sleep(100);
  }
  throw new Error("it did not come to pass within 30 s");
}
