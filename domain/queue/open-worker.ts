// Takes jobs out of the queues with the concurrency of each. Knows nothing of what a job means.
import { createPostgresBackend, Worker, type Processor } from "bullmq";

import { queueConcurrency, queueNames } from "./kinds.ts";
import { blame, onPostgres, onRedis, type QueuePlace, storedName } from "./open-queue.ts";

/** Between tries to take a job while the database is away, in ms. */
const retryMs = 1000;

/**
 * Another process takes over a killed process's job within 20 s: its lock has then expired, which a living process
 * renews twice in that time, and the check for stalled jobs has seen it twice. Being killed during a job, by a
 * deployment or for lack of memory, says little about the job: it counts as dead only after this many times.
 */
const takingUp = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 10 };

/** Where this process is the only worker, those that were killed are its predecessors, and are soon dealt with. */
const takingUpAlone = { ...takingUp, lockDuration: 30_000, drainDelay: 60 };
/** A minute after the start of such a process, looks for stalled jobs are this far apart, in ms. */
const [restlessMs, stalledEveryMs] = [60_000, 60_000];

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
  const { isSole = false } = place;
  const workers = queueNames.map((name) => {
    const concurrency = queueConcurrency[name];
    const worker: Worker =
      place.redisUrl === undefined
        ? (new Worker(
            storedName(name),
            processor,
            { ...onPostgres(place, concurrency), ...(isSole ? takingUpAlone : takingUp), concurrency },
            createBackend,
          ) as unknown as Worker)
        : new Worker(storedName(name), processor, { ...onRedis(place.redisUrl), ...takingUp, concurrency });
    worker.on("error", (error) => onError(blame(place, error)));
    return worker;
  });
  // The library reads it before each look.
  const rest = () => workers.forEach(({ opts }) => (opts.stalledInterval = stalledEveryMs));
  const resting = isSole ? setTimeout(rest, restlessMs) : undefined;
  return {
    async close() {
      clearTimeout(resting);
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
