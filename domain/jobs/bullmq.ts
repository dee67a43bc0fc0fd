// BullMQ as the queue: on Redis where there is one, otherwise on its own schema of the same PostgreSQL. The one
// place that knows which. Requests never wait for it.
import { createPostgresBackend, Queue, Worker, type Job, type Processor } from "bullmq";
import { Client, type ClientConfig } from "pg";

import type { JobQueue, QueuedJob } from "./queue.ts";
import type { OutboxRow } from "./outbox.ts";

const queueName = "plinth";

/** Where the queue lives: Redis where its address is given. */
export interface QueuePlace {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
}

/** Attempts with growing pauses; what failed for good is kept for the operator. */
const jobOptions = {
  attempts: 5,
  backoff: { type: "exponential", delay: 1000 },
  removeOnComplete: true,
  removeOnFail: { age: 30 * 24 * 3600 },
} as const;

/**
 * A lost socket may say so once more after its query has failed and the pool has let the client go; heard by
 * nobody, that would end the process.
 */
class EnduringClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on("error", () => undefined);
  }
}

const onPostgres = ({ databaseUrl }: QueuePlace) => ({
  connection: { connectionString: databaseUrl, schema: "bullmq", migrate: true, max: 3, Client: EnduringClient },
});

const onRedis = (redisUrl: string) => ({ connection: { url: redisUrl, maxRetriesPerRequest: null } });

export interface OpenQueue extends JobQueue {
  /** Hands over rows of the outbox; the same row twice is one job. */
  add(rows: readonly OutboxRow[]): Promise<void>;
  /** Runs a kind at a fixed pace, whoever asks first. */
  schedule(kind: string, everyMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the queue. `onError` hears of a lost connection; BullMQ mends it by itself. */
export function openQueue(place: QueuePlace, onError: (error: Error) => void): OpenQueue {
  const queue: Queue =
    place.redisUrl === undefined
      ? (new Queue(queueName, onPostgres(place), createPostgresBackend) as unknown as Queue)
      : new Queue(queueName, onRedis(place.redisUrl));
  queue.on("error", onError);
  return {
    async add(rows) {
      const jobs = rows.map(({ jobId, kind, payload }) => ({
        name: kind,
        data: payload,
        opts: { ...jobOptions, jobId },
      }));
      const [first] = jobs;
      // In bulk makes temporary tables on PostgreSQL, which takes ten times what adding one job takes; and one it is
      // nearly always (gather.ts).
      if (first !== undefined && jobs.length === 1) await queue.add(first.name, first.data, first.opts);
      else await queue.addBulk(jobs);
    },
    async schedule(kind, every) {
      await queue.upsertJobScheduler(`every-${kind}`, { every }, { name: kind, data: {}, opts: jobOptions });
    },
    async list(limit) {
      const jobs = await queue.getJobs(["failed", "wait", "delayed", "active"], 0, limit - 1, false);
      const described = await Promise.all(jobs.map(describe));
      return described.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, limit);
    },
    async retry(jobId) {
      const job = await queue.getJob(jobId);
      if (job === undefined || !(await job.isFailed())) return null;
      await job.retry("failed");
      return describe(job);
    },
    async counts() {
      const {
        wait = 0,
        delayed = 0,
        active = 0,
        failed = 0,
      } = await queue.getJobCounts("wait", "delayed", "active", "failed");
      return { waiting: wait + delayed, active, failed };
    },
    close: () => queue.close(),
  };
}

/** Between tries to take a job while the database is away, in ms. */
const retryMs = 1000;

/**
 * BullMQ knows a lost connection by Redis' words for it; on PostgreSQL's it tries again at once, without ever
 * letting the event loop turn. So a try that failed waits here before it says so.
 */
const patientBackend: typeof createPostgresBackend = (...given) => {
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

/** Starts taking jobs; close it to finish those under way. */
export function openWorker(
  place: QueuePlace,
  concurrency: number,
  processor: Processor,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  const worker: Worker =
    place.redisUrl === undefined
      ? (new Worker(queueName, processor, { ...onPostgres(place), concurrency }, patientBackend) as unknown as Worker)
      : new Worker(queueName, processor, { ...onRedis(place.redisUrl), concurrency });
  worker.on("error", onError);
  return worker;
}

async function describe(job: Job): Promise<QueuedJob> {
  const state = await job.getState();
  return {
    jobId: job.id ?? "",
    kind: job.name,
    state: state === "failed" || state === "active" || state === "delayed" ? state : "waiting",
    attempts: job.attemptsMade,
    error: job.failedReason ?? null,
    createdAt: new Date(job.timestamp).toISOString(),
  };
}
