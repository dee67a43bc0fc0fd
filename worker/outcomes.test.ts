// Reports the outcome of a failed job: a retry, or dead.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OpenQueue } from "@plinth/domain/queue/open-queue";
import { openedQueue } from "@plinth/domain/test/opened-queue";
import { on, type FinishedJob } from "@plinth/domain/telemetry";
import { createSetup, type Setup } from "@plinth/domain/test/context";
import { UnrecoverableError } from "bullmq";

import { startWorker } from "./worker.ts";

let setup: Setup;
let queue: OpenQueue;
const faults: unknown[] = [];
beforeAll(async () => {
  setup = await createSetup();
  queue = await openedQueue({ databaseUrl: setup.db.url }, (error) => faults.push(error));
});
afterAll(async () => {
  await queue.close();
  // Closing the database ends connections that the queue still holds.
  const seen = [...faults];
  await setup.close();
  expect(seen).toEqual([]);
});

/** The outcome of the first attempt of a job that throws this error. */
async function outcomeOf(thrown: Error): Promise<FinishedJob> {
  const { promise, resolve } = Promise.withResolvers<FinishedJob>();
  const jobId = `job_${Bun.randomUUIDv7()}`;
  const stop = on({ job: (job) => void (job.jobId === jobId && resolve(job)) });
  const config = {
    ...setup.instance.config,
    get mail(): never {
      throw thrown;
    },
  };
  const worker = startWorker({
    host: { db: setup.db, config, billing: null, renderer: null },
    place: { databaseUrl: setup.db.url },
    onError: (error) => faults.push(error),
  });
  try {
    await queue.add([{ jobId, kind: "invitation-mail", payload: { invitationId: `inv_${Bun.randomUUIDv7()}` } }]);
    return await promise;
  } finally {
    stop();
    await worker.close();
  }
}

test("a job that fails for good is told as dead at its first try", async () => {
  const error = new UnrecoverableError("it never works");
  expect(await outcomeOf(error)).toMatchObject({ kind: "invitation-mail", attempt: 1, outcome: "dead", error });
}, 60_000);

test("a job that fails and is tried again is told as failed", async () => {
  const error = new Error("not this time");
  expect(await outcomeOf(error)).toMatchObject({ kind: "invitation-mail", attempt: 1, outcome: "failed", error });
}, 60_000);
