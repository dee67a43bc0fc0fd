// Takes jobs from the queue and does them by the domain's functions. Knows nothing of what a job means.
import { openWorker } from "@plinth/domain/jobs/open-worker";
import type { QueuePlace } from "@plinth/domain/jobs/queue-place";
import { isJobKind, type Jobs } from "@plinth/domain/jobs/kinds";
import { runJob, type JobHost } from "@plinth/domain/jobs/run";

interface WorkerOptions {
  readonly host: JobHost;
  readonly place: QueuePlace;
  readonly onError: (error: unknown) => void;
}

/** Starts taking jobs. Closing it finishes those under way and takes no more. */
export function startWorker({ host, place, onError }: WorkerOptions): { close(): Promise<void> } {
  return openWorker(
    place,
    async ({ name, data, id = "", attemptsMade, opts: { attempts = 1 } }) => {
      if (!isJobKind(name)) throw new Error(`there is no job of the kind ${name}`);
      await runJob(host, name, data as Jobs[typeof name], id, attemptsMade + 1 >= attempts);
    },
    onError,
  );
}
