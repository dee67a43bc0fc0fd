// Takes jobs from the queue and runs them through the domain's functions. It does not know the meaning of a job.
import { boundWait } from "@plinth/db/waiting";
import { openWorker } from "@plinth/domain/queue/open-worker";
import type { QueuePlace } from "@plinth/domain/queue/open-queue";
import { isJobKind, kinds, type Jobs } from "@plinth/domain/queue/kinds";
import { startPresence } from "@plinth/domain/queue/worker-process";
import { runJob, type JobHost } from "@plinth/domain/jobs/run";
import { emit } from "@plinth/domain/telemetry";
import { withTelemetry } from "@plinth/domain/thumbnails/renderer";
import { MainThreadWork } from "@plinth/platform/main-thread";
import { DelayedError, UnrecoverableError, type Job } from "bullmq";

interface WorkerOptions {
  readonly host: JobHost;
  readonly place: QueuePlace;
  readonly onError: (error: unknown) => void;
  /** Called after each job, which may have caused others. */
  readonly onDone?: () => void;
  /** The name of the browser for screenshots, for health; null where the worker found none. */
  readonly browser?: string | null;
}

/**
 * Starts taking jobs, and reports this process to the others. Closing it finishes the jobs in progress and takes no
 * more.
 */
export function startWorker({ host, place, onError, onDone, browser = null }: WorkerOptions): {
  close(): Promise<void>;
} {
  const presence = startPresence(host.db, browser, onError);
  const measured = { ...host, renderer: host.renderer === null ? null : withTelemetry(host.renderer) };
  const worker = openWorker(place, (job, token) => work(measured, job, token).finally(onDone), onError);
  return {
    async close() {
      await worker.close();
      await presence.stop();
    },
  };
}

/** Between two looks at a job whose kind only a newer program knows, in ms, and for how long a worker of it is waited for. */
const [unknownEveryMs, unknownForMs] = [15_000, 24 * 3_600_000];

/**
 * Leaves a job that a newer program wrote to a worker of that program. No try is counted, because this program can't try it.
 * @throws DelayedError, by which the queue knows that the job waits again
 */
async function leaveToNewer(job: Job, token: string | undefined): Promise<never> {
  const { name, timestamp } = job;
  if (Date.now() - timestamp > unknownForMs) throw new UnrecoverableError(`there is no job of the kind ${name}`);
  await job.moveToDelayed(Date.now() + unknownEveryMs, token);
  throw new DelayedError();
}

async function work(host: JobHost, job: Job, token: string | undefined): Promise<void> {
  const { name, data, id = "" } = job;
  if (!isJobKind(name)) return leaveToNewer(job, token);
  const startedAt = performance.now();
  const event = { kind: name, queue: kinds[name].queue, jobId: id, attempt: job.attemptsMade + 1 };
  const isLastTry = event.attempt >= (job.opts.attempts ?? 1);
  // So that no request is taken for the cause of what the job does.
  const onMainThread = new MainThreadWork();
  try {
    await onMainThread.run(() =>
      boundWait(() => runJob(host, name, data as Jobs[typeof name], id, isLastTry), Infinity),
    );
    emit("job", { ...event, outcome: "done", ms: performance.now() - startedAt });
  } catch (error) {
    const isDead = isLastTry || error instanceof UnrecoverableError;
    emit("job", { ...event, outcome: isDead ? "dead" : "failed", ms: performance.now() - startedAt, error });
    throw error;
  } finally {
    onMainThread.end();
  }
}
