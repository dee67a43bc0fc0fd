// PostgreSQL's processes for jobs run at a lower priority on a machine that they share with requests: readers must not wait for
// the search documents of a flood of publishes. A connection of the pool is one process.
import type { Database } from "@plinth/db/connection";
import { yieldProcessor } from "@plinth/domain/threads/process-usage";

interface YieldingOptions {
  /** Asks which processes there are. */
  readonly db: Pick<Database, "run">;
  /** The name of the connections in pg_stat_activity. */
  readonly name: string;
  readonly lower?: (pid: number) => void;
}

/** Returns what to call after a connection has opened. An embedded server's processes are processes of this machine. */
export function yieldBackends({ db, name, lower = yieldProcessor }: YieldingOptions): () => void {
  const lowered = new Set<number>();
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const backends = await db.run<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE application_name = $1", [
      name,
    ]);
    const pids = new Set(backends.map(({ pid }) => pid));
    for (const pid of lowered) if (!pids.has(pid)) lowered.delete(pid);
    for (const pid of pids) {
      if (lowered.has(pid)) continue;
      lowered.add(pid);
      lower(pid);
    }
  }

  return () => {
    // Where it is not permitted, as in a container whose root may not do this, they keep their priority.
    looking = (looking ?? Promise.resolve()).then(look).catch(() => undefined);
  };
}
