// Takes jobs from the queue and runs them through the domain's functions. It does not know the meaning of a job.
import { openWorker } from "@plinth/domain/queue/open-worker";
import type { QueuePlace } from "@plinth/domain/queue/queue-place";
import { isJobKind, kinds, type Jobs } from "@plinth/domain/queue/kinds";
import { startPresence } from "@plinth/domain/queue/worker-process";
import { runJob, type JobHost } from "@plinth/domain/jobs/run";
import { emit } from "@plinth/domain/telemetry";
import { withTelemetry } from "@plinth/domain/thumbnails/renderer";
import { UnrecoverableError, type Job } from "bullmq";

interface WorkerOptions {
  readonly host: JobHost;
  readonly place: QueuePlace;
  readonly onError: (error: unknown) => void;
  /** The name of the browser for screenshots, for health; null where the worker found none. */
  readonly browser?: string | null;
}

/**
 * Starts taking jobs, and reports this process to the others. Closing it finishes the jobs in progress and takes no
 * more.
 */
export function startWorker({ host, place, onError, browser = null }: WorkerOptions): { close(): Promise<void> } {
  const presence = startPresence(host.db, browser, onError);
  const measured = { ...host, renderer: host.renderer === null ? null : withTelemetry(host.renderer) };
  const worker = openWorker(place, (job) => work(measured, job), onError);
  return {
    async close() {
      await worker.close();
      await presence.stop();
    },
  };
}

async function work(host: JobHost, job: Job): Promise<void> {
  const { name, data, id = "" } = job;
  // A newer program wrote the job: the retries wait for a newer worker.
  if (!isJobKind(name)) throw new Error(`there is no job of the kind ${name}`);
  const startedAt = performance.now();
  const event = { kind: name, queue: kinds[name].queue, jobId: id, attempt: job.attemptsMade + 1 };
  const isLastTry = event.attempt >= (job.opts.attempts ?? 1);
  try {
    await runJob(host, name, data as Jobs[typeof name], id, isLastTry);
    emit("job", { ...event, outcome: "done", ms: performance.now() - startedAt });
  } catch (error) {
    const isDead = isLastTry || error instanceof UnrecoverableError;
    emit("job", { ...event, outcome: isDead ? "dead" : "failed", ms: performance.now() - startedAt, error });
    throw error;
  }
}
