// The worker processes that are alive: each has a row, and says now and then that it is still there. Health reads them.
import type { Database } from "@plinth/db/connection";

/** Between signs of life, in ms; a row that is much older is of a process that was killed. */
const everyMs = 15_000;

/** `browser` is the browser that the process captures screenshots with; null where it found none. */
export function startPresence(
  db: Database,
  browser: string | null,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const workerId = Bun.randomUUIDv7();
  let trouble = false;
  const say = async (): Promise<void> => {
    try {
      await db.run(
        `INSERT INTO worker_process (worker_id, browser) VALUES ($1, $2)
         ON CONFLICT (worker_id) DO UPDATE SET seen_at = now()`,
        [workerId, browser],
      );
      trouble = false;
    } catch (error) {
      // Logged once: while the database is down, other callers report it too.
      if (!trouble) onError(error);
      trouble = true;
    }
  };
  let saying = say();
  const timer = setInterval(() => (saying = saying.then(say)), everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await saying;
      await db.run("DELETE FROM worker_process WHERE worker_id = $1", [workerId]);
    },
  };
}

/** Removes the rows of processes that were killed long ago. */
export const removeStale = (db: Database): Promise<unknown> =>
  db.run("DELETE FROM worker_process WHERE seen_at < now() - interval '1 hour'");
