// Takes jobs out of the queues with the concurrency of each. Knows nothing of what a job means.
import { createPostgresBackend, Worker, type Processor } from "bullmq";

import { queueConcurrency, queueNames } from "./kinds.ts";
import { blame, onPostgres, onRedis, storedName, type QueuePlace } from "./queue-place.ts";

/** Between tries to take a job while the database is away, in ms. */
const retryMs = 1000;

/**
 * Another process takes over a killed process's job within 20 s: its lock has then expired, which a living process
 * renews twice in that time, and the check for stalled jobs has seen it twice. Being killed during a job, by a
 * deployment or for lack of memory, says little about the job: it counts as dead only after this many times.
 */
const takingUp = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 10 };

/**
 * BullMQ knows a lost connection by Redis' words for it; on PostgreSQL's it tries again at once, without ever
 * letting the event loop turn. So a try that failed waits here before it says so.
 */
const createBackend: typeof createPostgresBackend = (...given) => {
  const backend = createPostgresBackend(...given);
  const moveToActive = backend.moveToActive.bind(backend);
  backend.moveToActive = async (...job) => {
    try {
      return await moveToActive(...job);
    } catch (error) {
      await Bun.sleep(retryMs);
      throw error;
    }
  };
  return backend;
};

/** Starts taking jobs of every queue; close it to finish those in progress. */
export function openWorker(
  place: QueuePlace,
  processor: Processor,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  const workers = queueNames.map((name) => {
    const concurrency = queueConcurrency[name];
    const worker: Worker =
      place.redisUrl === undefined
        ? (new Worker(
            storedName(name),
            processor,
            { ...onPostgres(place, concurrency), ...takingUp, concurrency },
            createBackend,
          ) as unknown as Worker)
        : new Worker(storedName(name), processor, { ...onRedis(place.redisUrl), ...takingUp, concurrency });
    worker.on("error", (error) => onError(blame(place, error)));
    return worker;
  });
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
