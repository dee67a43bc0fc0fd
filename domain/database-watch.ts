// Checks at an interval, in the background, that the database accepts writes: it updates the one row of a table for that.
// Health reads the last outcome, so no request waits for it.
import type { Database } from "@plinth/db/connection";

import { logRecovery, troubleOf, type DatabaseTrouble } from "./database-trouble.ts";

export interface DatabaseWatch {
  /** Why the last write failed; null where it succeeded. */
  readonly trouble: () => DatabaseTrouble | null;
  stop(): Promise<void>;
}

interface WatchOptions {
  readonly db: Database;
  /** Called with the error of a failed write. */
  readonly onError: (error: unknown) => void;
  /** Whether the disk has room, where that is known: the reserve lets this row be written and nothing else. */
  readonly hasRoom?: () => boolean;
  /** The pause between writes, and after a failed one, in ms. */
  readonly everyMs?: number;
  readonly retryMs?: number;
}

const write = "INSERT INTO health_check (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET written_at = now()";

export function watchDatabase({
  db,
  onError,
  hasRoom = () => true,
  everyMs = 10_000,
  retryMs = 2000,
}: WatchOptions): DatabaseWatch {
  let trouble: DatabaseTrouble | null = null;
  const stopping = Promise.withResolvers<void>();
  let isStopped = false;

  async function tryWrite(): Promise<void> {
    if (!hasRoom()) {
      trouble = "full";
      return;
    }
    try {
      await db.run(write);
      trouble = null;
      logRecovery();
    } catch (error) {
      trouble = troubleOf(error) ?? "unreachable";
      if (!isStopped) onError(error);
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      await tryWrite();
      await pause(trouble === null ? everyMs : retryMs);
    }
  }

  async function pause(ms: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, ms);
    await Promise.race([over.promise, stopping.promise]);
    clearTimeout(timer);
  }

  void run();
  return {
    trouble: () => trouble,
    async stop() {
      isStopped = true;
      stopping.resolve();
    },
  };
}
