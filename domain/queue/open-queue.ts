// The queue as the relay and the operator use it, over one BullMQ queue per kind of work. Requests never wait for it.
import { createPostgresBackend, Queue, type JobsOptions } from "bullmq";
import { Client, type ClientConfig } from "pg";

import { askQueues } from "./ask-queues.ts";
import { inTime, inTimeOfRedis } from "./in-time.ts";
import { isJobKind, type JobKind, kinds, type QueueName, queueNames } from "./kinds.ts";
import type { OutboxRow } from "./outbox.ts";
import type { JobQueue } from "./queue.ts";
import { ofRedis, type RedisTrouble } from "../redis-trouble.ts";

/** Redis where its address is given. */
export interface QueuePlace {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  /** Whether one process alone has the database, and with it the queue. */
  readonly isSole?: boolean;
}

/** The name of the BullMQ queue. */
export const storedName = (name: QueueName): string => `plinth-${name}`;

/**
 * A lost socket may emit a second error after its query has failed and the pool has released the client; without a
 * listener it would end the process.
 */
class EnduringClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on("error", () => undefined);
  }
}

/** `max` is how many connections are held at once, beside one that listens where jobs are taken. */
export const onPostgres = ({ databaseUrl }: QueuePlace, max: number) => ({
  connection: {
    connectionString: databaseUrl,
    application_name: "plinth-queue",
    schema: "bullmq",
    migrate: true,
    max,
    Client: EnduringClient,
  },
});

/**
 * Does it while no other process does: BullMQ's functions on PostgreSQL look before they write, and two that looked at
 * the same moment write twice. Its scripts on Redis are alone by themselves.
 */
export async function whileAlone({ databaseUrl, redisUrl }: QueuePlace, work: () => Promise<void>): Promise<void> {
  if (redisUrl !== undefined) return work();
  const client = new EnduringClient({ connectionString: databaseUrl, application_name: "plinth-queue" });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('plinth:schedules', 0))");
    await work();
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** An error of the queue; `RedisTrouble` where it is on Redis, and Redis is to blame. */
export const blame = <Thrown>({ redisUrl }: QueuePlace, error: Thrown): Thrown | RedisTrouble =>
  redisUrl === undefined ? error : ofRedis(error);

export const onRedis = (redisUrl: string) => ({ connection: { url: redisUrl, maxRetriesPerRequest: null } });

export interface OpenQueue extends JobQueue {
  /** Hands over rows of the outbox; the same row twice is one job. */
  add(rows: readonly OutboxRow[]): Promise<void>;
  /**
   * Schedules the periodic jobs from any process, and keeps doing so on Redis: one that was restarted empty has lost the
   * schedules.
   */
  schedule(): Promise<void>;
  close(): Promise<void>;
}

/** Attempts with growing pauses; what failed for good is kept for the operator. */
const optionsOf = (kind: JobKind): JobsOptions => ({
  attempts: kinds[kind].attempts ?? 5,
  backoff: { type: "exponential", delay: 1000 },
  removeOnComplete: true,
  removeOnFail: { age: 30 * 24 * 3600 },
});

/** Between looks whether the schedules are still there. */
const rescheduleMs = 30_000;

/**
 * Opens the queue. `onError` receives connection errors; BullMQ reconnects by itself. Requests in between are
 * `unavailable` after 5 s.
 */
export function openQueue(place: QueuePlace, onError: (error: Error) => void): OpenQueue {
  const queues = Object.fromEntries(queueNames.map((name) => [name, openNamedQueue(place, name, onError)])) as Record<
    QueueName,
    Queue
  >;
  const all = Object.values(queues);
  const answered = place.redisUrl === undefined ? inTime : inTimeOfRedis;
  let rescheduling: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  return {
    async add(rows) {
      for (const name of queueNames)
        await answered(
          addTo(
            queues[name],
            rows.filter(({ kind }) => kinds[kind].queue === name),
          ),
        );
    },
    async schedule() {
      let isLasting = false;
      try {
        await whileAlone(place, () => scheduleAll(queues));
        isLasting = place.redisUrl === undefined;
      } catch (error) {
        throw blame(place, error);
      } finally {
        if (!closed && !isLasting)
          rescheduling = setTimeout(() => void this.schedule().catch(onError), rescheduleMs).unref();
      }
    },
    ...askQueues(queues, answered),
    async close() {
      closed = true;
      clearTimeout(rescheduling);
      await Promise.all(all.map((queue) => queue.close()));
    },
  };
}

/** One that is scheduled already keeps its turn. */
async function scheduleAll(queues: Readonly<Record<QueueName, Queue>>): Promise<void> {
  for (const [kind, { queue: name, everyMs: every }] of Object.entries(kinds))
    if (every !== undefined && isJobKind(kind))
      await queues[name].upsertJobScheduler(
        `every-${kind}`,
        { every },
        { name: kind, data: {}, opts: optionsOf(kind) },
      );
}

function openNamedQueue(place: QueuePlace, name: QueueName, onError: (error: Error) => void): Queue {
  const queue: Queue =
    place.redisUrl === undefined
      ? (new Queue(storedName(name), onPostgres(place, 1), createPostgresBackend) as unknown as Queue)
      : new Queue(storedName(name), onRedis(place.redisUrl));
  queue.on("error", (error) => onError(blame(place, error)));
  return queue;
}

async function addTo(queue: Queue, rows: readonly OutboxRow[]): Promise<void> {
  const jobs = rows.map(({ jobId, kind, payload }) => ({
    name: kind,
    data: payload,
    opts: { ...optionsOf(kind), delay: kinds[kind].delayMs ?? 0, jobId },
  }));
  const [first] = jobs;
  if (first === undefined) return;
  // In bulk makes temporary tables on PostgreSQL, which takes ten times what adding one job takes; and one it is
  // nearly always (relay.ts).
  if (jobs.length === 1) await queue.add(first.name, first.data, first.opts);
  else await queue.addBulk(jobs);
}
