// A second connection that holds one side of a race open in a test until the other side waits for it.
import { SQL } from "bun";

export interface HeldTransaction {
  run<Row>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /**
   * Waits until a session waits for a lock of this transaction. With `works`, until as many sessions wait as there are
   * works. @throws where one of the works ends first, because then no lock blocked it
   */
  untilWaitedFor(...works: readonly Promise<unknown>[]): Promise<void>;
  /** Whether a session waits for this transaction now. */
  isWaitedFor(): Promise<boolean>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Begins a transaction on its own connection and rolls it back where the work does not end it. */
export async function holdTransaction<Result>(
  url: string,
  work: (held: HeldTransaction) => Promise<Result>,
): Promise<Result> {
  const holder = new SQL(url, { max: 1 });
  const watcher = new SQL(url, { max: 1 });
  let isOver = false;
  const end = async (how: "COMMIT" | "ROLLBACK") => {
    if (isOver) return;
    isOver = true;
    await holder.unsafe(how);
  };
  try {
    await holder.unsafe("BEGIN");
    const [{ pid }] = await holder.unsafe("SELECT pg_backend_pid() AS pid");
    return await work({
      run: async <Row>(statement: string, parameters: readonly unknown[] = []) =>
        [...(await holder.unsafe(statement, [...parameters]))] as Row[],
      untilWaitedFor: (...works) => untilWaiting(watcher, pid as number, works),
      isWaitedFor: async () => (await waitingSessions(watcher, pid as number)) > 0,
      commit: () => end("COMMIT"),
      rollback: () => end("ROLLBACK"),
    });
  } finally {
    await end("ROLLBACK");
    await holder.close();
    await watcher.close();
  }
}

/** Sessions that wait for the holder itself, or for a session that waits for it. */
const waitingStatement = `
  WITH RECURSIVE waiting(pid) AS (
    SELECT $1::int
    UNION
    SELECT a.pid FROM pg_stat_activity a JOIN waiting w ON w.pid = ANY (pg_blocking_pids(a.pid))
    WHERE a.datname = current_database()
  )
  SELECT count(*)::int - 1 AS sessions FROM waiting`;

async function waitingSessions(watcher: SQL, pid: number): Promise<number> {
  const [{ sessions }] = await watcher.unsafe(waitingStatement, [pid]);
  return sessions as number;
}

async function untilWaiting(watcher: SQL, pid: number, works: readonly Promise<unknown>[]): Promise<void> {
  let ended = 0;
  for (const work of works) void Promise.allSettled([work]).then(() => ended++);
  for (;;) {
    if ((await waitingSessions(watcher, pid)) >= Math.max(works.length, 1)) return;
    if (ended > 0) throw new Error("the work ended without waiting for the transaction that is held");
    await Bun.sleep(2);
  }
}
