// The time budget of one upkeep job: other jobs wait for its queue, and so does a process that is shutting down.

/** Asked between batches. */
export interface Turn {
  readonly isOver: () => boolean;
}

export const endless: Turn = { isOver: () => false };

const turnMs = 3000;

export function startTurn(): Turn {
  const end = performance.now() + turnMs;
  return { isOver: () => performance.now() >= end };
}
