// The queue as the relay and the operator use it, over BullMQ's queue of each lane. Requests never wait for it.
import { createPostgresBackend, Queue, type Job, type JobsOptions } from "bullmq";

import { withoutSecrets } from "@plinth/contract/log-line";
import type { JobState } from "@plinth/contract/schemas/instance";

import { isJobKind, kinds, lanes, type JobKind, type Lane } from "./kinds.ts";
import type { JobQueue, LaneCounts, QueuedJob } from "./queue.ts";
import type { OutboxRow } from "./outbox.ts";
import { onPostgres, onRedis, queueName, type QueuePlace } from "./queue-place.ts";

export interface OpenQueue extends JobQueue {
  /** Hands over rows of the outbox; the same row twice is one job. */
  add(rows: readonly OutboxRow[]): Promise<void>;
  /**
   * Has the kinds that nothing causes run at their pace, whoever asks first, and goes on seeing to it: a Redis that was
   * started again empty knows nothing of them.
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

const laneNames = Object.keys(lanes) as Lane[];

/** Opens the queue. `onError` hears of a lost connection; BullMQ mends it by itself. */
export function openQueue(place: QueuePlace, onError: (error: Error) => void): OpenQueue {
  const queues = Object.fromEntries(laneNames.map((lane) => [lane, openLane(place, lane, onError)])) as Record<
    Lane,
    Queue
  >;
  const all = Object.values(queues);
  let rescheduling: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  return {
    async add(rows) {
      for (const lane of laneNames)
        await addTo(
          queues[lane],
          rows.filter(({ kind }) => kinds[kind].lane === lane),
        );
    },
    async schedule() {
      await scheduleAll(queues).finally(() => {
        if (!closed) rescheduling = setTimeout(() => void this.schedule().catch(onError), rescheduleMs).unref();
      });
    },
    async list(limit, state) {
      const listed: QueuedJob[] = [];
      for (const asked of state === undefined ? shownStates : [state]) {
        const room = limit - listed.length;
        if (room <= 0) break;
        const jobs = await Promise.all(
          laneNames.map(async (lane) =>
            (await queues[lane].getJobs([inQueue[asked]], 0, room - 1, false)).map((job) => describe(job, lane, asked)),
          ),
        );
        const newest = jobs.flat().toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
        listed.push(...newest.slice(0, room));
      }
      return listed;
    },
    async retry(jobId) {
      for (const lane of laneNames) {
        const job = await queues[lane].getJob(jobId);
        if (job === undefined || !(await job.isFailed())) continue;
        await job.retry("failed");
        return describe(job, lane, "waiting");
      }
      return null;
    },
    async counts() {
      const each = await Promise.all(all.map(countsOf));
      const sum = (state: keyof LaneCounts) => each.reduce((total, counts) => total + counts[state], 0);
      return { waiting: sum("waiting"), active: sum("active"), failed: sum("failed") };
    },
    async lanes() {
      const each = await Promise.all(laneNames.map(async (lane) => [lane, await countsOf(queues[lane])] as const));
      return Object.fromEntries(each) as Record<Lane, LaneCounts>;
    },
    async schedules() {
      const each = await Promise.all(all.map((queue) => queue.getJobSchedulers(0, -1, true)));
      return each.flat().flatMap(({ name, every, next }) =>
        isJobKind(name)
          ? [
              {
                kind: name,
                everySeconds: Math.round(Number(every ?? 0) / 1000),
                nextAt: next === undefined ? null : new Date(next).toISOString(),
              },
            ]
          : [],
      );
    },
    async close() {
      closed = true;
      clearTimeout(rescheduling);
      await Promise.all(all.map((queue) => queue.close()));
    },
  };
}

/** One that is scheduled already keeps its turn. */
async function scheduleAll(queues: Readonly<Record<Lane, Queue>>): Promise<void> {
  for (const [kind, { lane, everyMs: every }] of Object.entries(kinds))
    if (every !== undefined && isJobKind(kind))
      await queues[lane].upsertJobScheduler(
        `every-${kind}`,
        { every },
        { name: kind, data: {}, opts: optionsOf(kind) },
      );
}

function openLane(place: QueuePlace, lane: Lane, onError: (error: Error) => void): Queue {
  const queue: Queue =
    place.redisUrl === undefined
      ? (new Queue(queueName(lane), onPostgres(place, lanes[lane]), createPostgresBackend) as unknown as Queue)
      : new Queue(queueName(lane), onRedis(place.redisUrl));
  queue.on("error", onError);
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

async function countsOf(queue: Queue): Promise<LaneCounts> {
  const {
    wait = 0,
    delayed = 0,
    active = 0,
    failed = 0,
  } = await queue.getJobCounts("wait", "delayed", "active", "failed");
  return { waiting: wait + delayed, active, failed };
}

/** Null, whatever its type says, once a failed job is tried again. */
const hasFailed = ({ failedReason }: { readonly failedReason?: string | null }): boolean =>
  typeof failedReason === "string";

/** As an operator reads them: what went wrong first, what will run by itself last. */
const shownStates: readonly JobState[] = ["failed", "active", "waiting", "delayed"];
const inQueue = { failed: "failed", active: "active", waiting: "wait", delayed: "delayed" } as const;

const describe = (job: Job, lane: Lane, state: JobState): QueuedJob => ({
  jobId: job.id ?? "",
  kind: job.name,
  lane,
  state,
  attempts: job.attemptsMade,
  // What a mail server or a driver said may repeat an address.
  error: hasFailed(job) ? withoutSecrets(job.failedReason) : null,
  createdAt: new Date(job.timestamp).toISOString(),
});
