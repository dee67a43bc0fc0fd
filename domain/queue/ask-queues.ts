// Requests of the relay and the operator to the queues. BullMQ waits for an unavailable Redis without a limit; these
// requests time out.
import type { Job, Queue } from "bullmq";

import { withoutSecrets } from "@plinth/platform/log-line";
import { offMainThread } from "@plinth/platform/main-thread";
import type { JobState, Schedule } from "@plinth/contract/schemas/instance";

import type { InTime } from "./in-time.ts";
import { isJobKind, queueNames, type QueueName } from "./kinds.ts";
import type { JobQueue, QueueCounts, QueuedJob } from "./queue.ts";

/** Each answer is `unavailable` after 5 s. */
export function askQueues(queues: Readonly<Record<QueueName, Queue>>, inTime: InTime): JobQueue {
  const all = Object.values(queues);
  const answer = <Answer>(asked: Promise<Answer>): Promise<Answer> => offMainThread(inTime(asked));

  async function list(limit: number, state?: JobState): Promise<QueuedJob[]> {
    const listed: QueuedJob[] = [];
    for (const asked of state === undefined ? shownStates : [state]) {
      const room = limit - listed.length;
      if (room <= 0) break;
      const jobs = await Promise.all(
        queueNames.map(async (name) =>
          (await queues[name].getJobs([inQueue[asked]], 0, room - 1, false)).map((job) => describe(job, name, asked)),
        ),
      );
      const newest = jobs.flat().toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      listed.push(...newest.slice(0, room));
    }
    return listed;
  }

  async function retry(jobId: string): Promise<QueuedJob | null> {
    for (const name of queueNames) {
      const job = await queues[name].getJob(jobId);
      if (job === undefined || !(await job.isFailed())) continue;
      await job.retry("failed");
      return describe(job, name, "waiting");
    }
    return null;
  }

  async function counts(): Promise<QueueCounts> {
    const each = await Promise.all(all.map(countsOf));
    const sum = (state: keyof QueueCounts) => each.reduce((total, counts) => total + counts[state], 0);
    return { waiting: sum("waiting"), active: sum("active"), failed: sum("failed") };
  }

  async function countsOfEach(): Promise<Record<QueueName, QueueCounts>> {
    const each = await Promise.all(queueNames.map(async (name) => [name, await countsOf(queues[name])] as const));
    return Object.fromEntries(each) as Record<QueueName, QueueCounts>;
  }

  async function schedules(): Promise<Schedule[]> {
    const each = await Promise.all(all.map((queue) => queue.getJobSchedulers(0, -1, true)));
    return each.flat().flatMap(({ name, every, next }) =>
      isJobKind(name)
        ? [
            {
              kind: name,
              everySeconds: Math.round((every ?? 0) / 1000),
              nextAt: next === undefined ? null : new Date(next).toISOString(),
            },
          ]
        : [],
    );
  }

  return {
    list: (limit, state) => answer(list(limit, state)),
    retry: (jobId) => answer(retry(jobId)),
    counts: () => answer(counts()),
    countsByQueue: () => answer(countsOfEach()),
    schedules: () => answer(schedules()),
  };
}

async function countsOf(queue: Queue): Promise<QueueCounts> {
  const {
    wait = 0,
    delayed = 0,
    active = 0,
    failed = 0,
  } = await queue.getJobCounts("wait", "delayed", "active", "failed");
  return { waiting: wait + delayed, active, failed };
}

/** Null, despite its type, once a failed job is retried. */
const hasFailed = ({ failedReason }: { readonly failedReason?: string | null }): boolean =>
  typeof failedReason === "string";

/** As an operator reads them: what went wrong first, what will run by itself last. */
const shownStates: readonly JobState[] = ["failed", "active", "waiting", "delayed"];
const inQueue = { failed: "failed", active: "active", waiting: "wait", delayed: "delayed" } as const;

const describe = (job: Job, name: QueueName, state: JobState): QueuedJob => ({
  jobId: job.id ?? "",
  kind: job.name,
  queue: name,
  state,
  attempts: job.attemptsMade,
  // What a mail server or a driver said may repeat an address.
  error: hasFailed(job) ? withoutSecrets(job.failedReason) : null,
  createdAt: new Date(job.timestamp).toISOString(),
});
