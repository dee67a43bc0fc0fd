// The queue as the relay and the operator use it, over one BullMQ queue per kind of work. Requests never wait for it.
import { createPostgresBackend, Queue, type JobsOptions } from "bullmq";

import { askQueues } from "./ask-queues.ts";
import { inTime, inTimeOfRedis } from "./in-time.ts";
import { isJobKind, kinds, queueNames, type JobKind, type QueueName } from "./kinds.ts";
import type { OutboxRow } from "./outbox.ts";
import type { JobQueue } from "./queue.ts";
import { blame, onPostgres, onRedis, storedName, whileAlone, type QueuePlace } from "./queue-place.ts";

export interface OpenQueue extends JobQueue {
  /** Hands over rows of the outbox; the same row twice is one job. */
  add(rows: readonly OutboxRow[]): Promise<void>;
  /**
   * Schedules the periodic jobs from any process, and keeps doing so: a Redis that was restarted empty has lost the
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
      try {
        await whileAlone(place, () => scheduleAll(queues));
      } catch (error) {
        throw blame(place, error);
      } finally {
        if (!closed) rescheduling = setTimeout(() => void this.schedule().catch(onError), rescheduleMs).unref();
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
  // nearly always (gather.ts).
  if (jobs.length === 1) await queue.add(first.name, first.data, first.opts);
  else await queue.addBulk(jobs);
}
