// The parts that processes are put together from, each said once: what it is begun with and how it ends. Which process has
// which is said by main.ts, api.ts, worker.ts and web.ts.
import { migrate } from "@plinth/db/migrate";
import type { Config } from "@plinth/domain/config";
import { openCounters } from "@plinth/domain/counters";
import type { Instance } from "@plinth/domain/context";
import { mcpUsesFlushMs } from "@plinth/domain/credentials/mcp-uses";
import { usageFlushMs } from "@plinth/domain/credentials/usage";
import { createInstance } from "@plinth/domain/instance";
import { openQueue, type OpenQueue } from "@plinth/domain/jobs/open-queue";
import type { QueuePlace } from "@plinth/domain/jobs/queue-place";
import { startRelay } from "@plinth/domain/jobs/relay";
import type { JobHost } from "@plinth/domain/jobs/run";
import { flushRegularly } from "@plinth/domain/noted";
import { shareUsesFlushMs } from "@plinth/domain/share-links/uses";
import { closeThreads } from "@plinth/domain/threads/pool";
import { openLine } from "@plinth/domain/watching/line";
import { startWorker } from "@plinth/worker/worker";

import { openDatabase, type OpenDatabase } from "./database.ts";
import { reachDatabase } from "./reach-database.ts";
import type { Start } from "./run.ts";

/** What a process is given for jobs under way when it is told to end, in ms; what takes longer is done again elsewhere. */
const jobsMs = 8000;

const closeMs = 1000;

/** The database, reached and migrated. */
export async function beginDatabase({ environment, undo, say }: Start): Promise<OpenDatabase> {
  const database = await openDatabase(environment);
  undo(() => database.close());
  await reachDatabase(database.connection, database.name, say);
  await migrate(database.connection, () => say("Waiting for another process to migrate the database."));
  return database;
}

export interface Jobs {
  readonly place: QueuePlace;
  readonly queue: OpenQueue;
}

/** The queue: to look at, and to hand jobs to. Child processes are what requests and jobs share, and end after both. */
export function beginQueue(
  { environment: { redisUrl }, undo, fault }: Start,
  { url: databaseUrl }: OpenDatabase,
): Jobs {
  const place = { databaseUrl, ...(redisUrl === null ? {} : { redisUrl }) };
  const queue = openQueue(place, fault);
  undo(async () => {
    // Of a Redis that is away there is nothing to wait for.
    await Promise.race([queue.close(), Bun.sleep(closeMs)]);
    await closeThreads();
  });
  return { place, queue };
}

export interface Work {
  /** Says that a row may have been written to the outbox. */
  readonly nudge: () => void;
  /** Hands over no more, takes no more, and waits for the jobs under way; a second call waits for the first. */
  end(): Promise<void>;
}

/** The relay, which hands the outbox over, and the worker, which does the jobs. */
export function beginWork({ undo, say, fault }: Start, { place, queue }: Jobs, host: JobHost): Work {
  const relay = startRelay(host.db, queue, fault);
  const worker = startWorker({ host, place, onError: fault });
  void queue.schedule().catch(fault);
  const stop = async () => {
    const late = Bun.sleep(jobsMs).then(() =>
      say(`Jobs that took longer than ${jobsMs / 1000} s are left to be done again.`),
    );
    const done = Promise.all([relay.stop(), worker.close()]);
    await Promise.race([done, late]);
  };
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= stop());
  undo(end);
  return { nudge: relay.nudge, end };
}

interface Serving {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly queue: OpenQueue;
  readonly nudge?: () => void;
}

/** What answers requests keeps for as long as it does: the instance, what others tell it, what it notes and writes down. */
export function beginInstance(
  { environment, undo, fault }: Start,
  { config, database, queue, nudge }: Serving,
): Instance {
  const counters = openCounters(environment.redisUrl, fault);
  undo(() => counters.close());
  const instance = createInstance({
    config,
    db: database.connection,
    queue,
    counters,
    ...(nudge && { nudge }),
    announce: (artifactId) => line.announce(artifactId),
    fault,
  });
  const line = openLine({
    databaseUrl: database.url,
    hear: (artifactId) => instance.watching.wake(artifactId),
    onError: fault,
  });
  undo(() => line.close());
  const flushing = [
    flushRegularly(instance.usage, usageFlushMs, fault),
    flushRegularly(instance.mcpUses, mcpUsesFlushMs, fault),
    flushRegularly(instance.shareUses, shareUsesFlushMs, fault),
  ];
  undo(() => Promise.all(flushing.map((one) => one.stop())));
  return instance;
}
