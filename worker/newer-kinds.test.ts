// A job of a kind that only a newer program knows waits for a worker of that program, and delays no other job.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { onPostgres, type OpenQueue, storedName } from "@plinth/domain/queue/open-queue";
import { openedQueue } from "@plinth/domain/test/opened-queue";
import { openWorker } from "@plinth/domain/queue/open-worker";
import { on } from "@plinth/domain/telemetry";
import { createSetup, type Setup } from "@plinth/domain/test/context";
import { createPostgresBackend, Queue } from "bullmq";

import { startWorker } from "./worker.ts";

const kind = "of-a-newer-program";
let setup: Setup;
let queue: OpenQueue;
let newer: Queue;
const faults: unknown[] = [];
beforeAll(async () => {
  setup = await createSetup();
  const place = { databaseUrl: setup.db.url };
  queue = await openedQueue(place, (error) => faults.push(error));
  newer = new Queue(storedName("quick"), onPostgres(place, 1), createPostgresBackend) as unknown as Queue;
  newer.on("error", (error) => faults.push(error));
});
afterAll(async () => {
  await Promise.all([queue.close(), newer.close()]);
  const seen = [...faults];
  await setup.close();
  expect(seen).toEqual([]);
});

const startOlder = () =>
  startWorker({
    host: { db: setup.db, config: setup.instance.config, billing: null, renderer: null },
    place: { databaseUrl: setup.db.url },
    onError: (error) => faults.push(error),
  });

/** Ends when the worker has done a job that it knows, which was added after the others. */
async function untilOthersRan(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const jobId = `job_${Bun.randomUUIDv7()}`;
  const stop = on({ job: (job) => void (job.jobId === jobId && resolve()) });
  await queue.add([{ jobId, kind: "invitation-mail", payload: { invitationId: `inv_${Bun.randomUUIDv7()}` } }]);
  await promise;
  stop();
}

test("an older worker leaves the job without counting a try, and a newer one runs it", async () => {
  const { id: jobId = "" } = await newer.add(kind, {}, { attempts: 1, jobId: `job_${Bun.randomUUIDv7()}` });
  const older = startOlder();
  await untilOthersRan();
  while ((await queue.list(10, "delayed")).length === 0) await Bun.sleep(20);
  await older.close();
  expect(await queue.list(10)).toEqual([
    expect.objectContaining({ jobId, kind, state: "delayed", attempts: 0, error: null }),
  ]);

  const ran = Promise.withResolvers<string>();
  const worker = openWorker(
    { databaseUrl: setup.db.url },
    async ({ name }) => ran.resolve(name),
    (error) => faults.push(error),
  );
  await (await newer.getJob(jobId))?.promote();
  expect(await ran.promise).toBe(kind);
  await worker.close();
}, 60_000);

test("a job that no newer worker took for a day is dead, and kept for the operator", async () => {
  const timestamp = Date.now() - 25 * 3_600_000;
  const { id: jobId } = await newer.add(kind, {}, { jobId: `job_${Bun.randomUUIDv7()}`, timestamp });
  const older = startOlder();
  await untilOthersRan();
  while ((await queue.list(10, "failed")).length === 0) await Bun.sleep(20);
  await older.close();
  expect(await queue.list(10, "failed")).toEqual([
    expect.objectContaining({ jobId, attempts: 1, error: `there is no job of the kind ${kind}` }),
  ]);
}, 60_000);
