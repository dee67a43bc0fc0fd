// Repeats a request for as long as the page is visible.

/** Calls `look` so often while the page is visible, and at once when it becomes so; returns how to stop. */
export function repeatWhileVisible(everyMs: number, look: () => Promise<unknown>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  async function next() {
    try {
      await look();
    } finally {
      schedule();
    }
  }
  // One look ends before the next begins, so a slow server is not asked faster than it answers.
  function schedule() {
    clearTimeout(timer);
    if (!stopped && !document.hidden) timer = setTimeout(() => void next(), everyMs);
  }
  function changed() {
    clearTimeout(timer);
    if (!stopped && !document.hidden) void next();
  }

  document.addEventListener("visibilitychange", changed);
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
  };
}
