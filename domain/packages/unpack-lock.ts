// One unpacked package at a time in this process: each may have 256 MB, and several jobs fetch packages at once.

let last: Promise<unknown> = Promise.resolve();

/** Runs the work after that of earlier callers. It must not wait for a registry, which may be slow. */
export function withUnpackLock<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work);
  last = turn.catch(() => {
    // The caller of that turn is told; the next turn only waits for its end.
  });
  return turn;
}
