// Takes jobs from the queue and does them by the domain's functions. Knows nothing of what a job means.
import { openWorker, type QueuePlace } from "@plinth/domain/jobs/bullmq";
import { isJobKind, type Jobs } from "@plinth/domain/jobs/kinds";
import { runJob, type JobHost } from "@plinth/domain/jobs/run";

interface WorkerOptions {
  readonly host: JobHost;
  readonly place: QueuePlace;
  /** Jobs under way at once. */
  readonly concurrency: number;
  readonly onError: (error: unknown) => void;
}

/** Starts taking jobs. Closing it finishes those under way and takes no more. */
export function startWorker({ host, place, concurrency, onError }: WorkerOptions): { close(): Promise<void> } {
  return openWorker(
    place,
    concurrency,
    async ({ name, data, id = "" }) => {
      if (!isJobKind(name)) throw new Error(`there is no job of the kind ${name}`);
      await runJob(host, name, data as Jobs[typeof name], id);
    },
    onError,
  );
}
