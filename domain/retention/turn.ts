// How long one job of upkeep goes on at a stretch: others wait for its lane, and so does a process that is to end.

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
