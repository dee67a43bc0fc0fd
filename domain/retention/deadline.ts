// The time budget of one upkeep job: other jobs wait for its queue, and so does a process that is shutting down.

export interface Deadline {
  /** Checked between batches. */
  readonly hasPassed: () => boolean;
}

export const noDeadline: Deadline = { hasPassed: () => false };

const budgetMs = 3000;

export function startDeadline(): Deadline {
  const end = performance.now() + budgetMs;
  return { hasPassed: () => performance.now() >= end };
}
