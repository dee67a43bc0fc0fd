// The queue for tests that hand jobs over themselves: its tables are there. On a busy machine the queue takes longer to
// make them than it waits for an answer.
import { AppError } from "@plinth/contract/errors";

import { openQueue, type OpenQueue, type QueuePlace } from "../queue/open-queue.ts";

export async function openedQueue(place: QueuePlace, onError: (error: Error) => void): Promise<OpenQueue> {
  const queue = openQueue(place, onError);
  while (!(await hasTables(queue)));
  return queue;
}

const hasTables = (queue: OpenQueue): Promise<boolean> =>
  queue.counts().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
      return false;
    },
  );
