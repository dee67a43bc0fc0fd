// The services of the processes: how each starts and stops. main.ts, api.ts, worker.ts and web.ts choose the services
// of their process.
import { join } from "node:path";

import { type ClientFiles, openClientFiles } from "@plinth/api/client/routes";
import { migrate } from "@plinth/db/migrate";
import { pageViewsFlushMs } from "@plinth/domain/artifacts/page-views";
import { recentsFlushMs } from "@plinth/domain/artifacts/recents";
import { openBilling } from "@plinth/domain/billing/billing";
import type { Config } from "@plinth/domain/config";
import { openCounters } from "@plinth/domain/counters";
import type { Instance } from "@plinth/domain/context";
import { watchDatabase, type DatabaseWatch } from "@plinth/domain/database-watch";
import { mcpUsesFlushMs } from "@plinth/domain/credentials/mcp-uses";
import { usageFlushMs } from "@plinth/domain/credentials/usage";
import { createInstance } from "@plinth/domain/instance";
import { openQueue, type OpenQueue, type QueuePlace } from "@plinth/domain/queue/open-queue";
import { startRelay } from "@plinth/domain/queue/relay";
import type { JobHost } from "@plinth/domain/jobs/run";
import type { Figures } from "@plinth/domain/metrics-token";
import { requireObjectStore } from "@plinth/domain/storage/object-owner";
import { flushRegularly } from "@plinth/platform/write-buffer";
import { shareUsesFlushMs } from "@plinth/domain/sharing/uses";
import { on } from "@plinth/domain/telemetry";
import type { Runtime } from "@plinth/runtime/manifest";
import { closeThreads } from "@plinth/domain/threads/pool";
import { openNotifyChannel } from "@plinth/domain/events/notify-channel";
import type { PublicLeases, PublicRow } from "@plinth/domain/access/public-rows";
import { openLeases } from "@plinth/domain/leases/lease-connection";
import { createLoneLeases } from "@plinth/domain/leases/leases";
import { processClock } from "@plinth/domain/leases/protocol";
import { openRenderer, type OpenRenderer } from "@plinth/worker/capture/open-renderer";
import { startWorkerServer } from "@plinth/worker/server";
import { startWorker } from "@plinth/worker/worker";

import { awaitDatabase } from "./await-database.ts";
import { openDatabase, type OpenDatabase } from "./database.ts";
import { startMetrics } from "./metrics.ts";
import { openPort, type OpenPort } from "./open-port.ts";
import type { Start } from "./run.ts";

/** The time for jobs in progress at shutdown, in ms; a job that takes longer is done again by another process. */
const jobsMs = 7000;

const closeMs = 1000;

/** Opens the port, which answers 503 until a handler serves. */
export function beginPort({ environment, undo }: Start): OpenPort {
  const opened = openPort(environment);
  undo(() => opened.server.stop(true));
  return opened;
}

/** Connects to the database and migrates it. @throws Error where its contents are in object storage that is not named */
export async function beginDatabase({ environment, undo, say, kind }: Start): Promise<OpenDatabase> {
  const database = await openDatabase(environment, kind);
  undo(() => database.close());
  await awaitDatabase(database.connection, database.name, say);
  await migrate(database.connection, { onWait: () => say("Waiting for another process to migrate the database.") });
  await requireObjectStore(database.connection);
  return database;
}

/** Whether the database can be written, according to the last attempt. */
export function beginDatabaseWatch(
  { undo, fault }: Start,
  { connection }: OpenDatabase,
  hasRoom?: () => boolean,
): DatabaseWatch["trouble"] {
  const watch = watchDatabase({ db: connection, onError: fault, ...(hasRoom && { hasRoom }) });
  undo(() => watch.stop());
  return watch.trouble;
}

export interface Jobs {
  readonly place: QueuePlace;
  readonly queue: OpenQueue;
}

/**
 * Opens the queue, for reading and for enqueueing. Requests and jobs share the child processes, which end after both.
 */
export function beginQueue(
  { environment: { redisUrl, databaseUrl: given }, undo, fault }: Start,
  { url: databaseUrl }: OpenDatabase,
): Jobs {
  const place = { databaseUrl, ...(redisUrl === null ? {} : { redisUrl }), isSole: given === null };
  const queue = openQueue(place, fault);
  undo(async () => {
    // There is nothing to wait for in an unreachable Redis.
    await Promise.race([queue.close(), Bun.sleep(closeMs)]);
    await closeThreads();
  });
  return { place, queue };
}

export interface Work {
  /** Reports that a row may have been written to the outbox. */
  readonly wakeRelay: () => void;
  /** Stops the relay and the worker, and waits for the jobs in progress; a second call waits for the first. */
  end(): Promise<void>;
}

/**
 * Opens the screenshot renderer, where there is a browser. The search for a browser runs while other services start,
 * and the first screenshot starts the browser.
 */
export function beginRenderer(
  { environment: { chromiumPath }, undo, say }: Start,
  runtime: Runtime,
): Promise<OpenRenderer> {
  const opening = openRenderer({ runtime, chromiumPath, note: say });
  undo(async () => (await opening).close());
  return opening;
}

/**
 * Opens the leases of the process: what it may answer from memory, where it `holds` one, and how its writes tell the other
 * processes. The embedded database has one process, which has no other to tell.
 */
export function beginLeases(
  { environment, undo, fault }: Start,
  { url: databaseUrl, connection: db }: OpenDatabase,
  { holds }: { readonly holds: boolean },
): PublicLeases {
  if (environment.databaseUrl === null) return createLoneLeases(processClock);
  const leases = openLeases<PublicRow>({ databaseUrl, db, holds, onError: fault });
  undo(() => leases.close());
  return leases;
}

interface Working extends Pick<JobHost, "db" | "leases"> {
  readonly config: JobHost["config"] & Pick<Config, "billing">;
  readonly capturing: OpenRenderer;
  /** Whether the disk has space for the writes of jobs; true by default. */
  readonly hasRoom?: () => boolean;
}

/** Starts the relay, which moves jobs from the outbox to the queue, and the worker, which does the jobs. */
export function beginWork(
  { undo, say, fault }: Start,
  { place, queue }: Jobs,
  { capturing, hasRoom, ...host }: Working,
): Work {
  let requests = 0;
  const relay = startRelay(host.db, queue, fault, {
    ...(hasRoom && { hasRoom }),
    requests: () => requests,
    isSole: place.isSole === true,
  });
  const answered = () => {
    requests++;
    relay.stir();
  };
  undo(on({ request: answered }));
  const { renderer, browser } = capturing;
  const worker = startWorker({
    host: { ...host, renderer, billing: openBilling(host.config.billing) },
    place,
    browser,
    onError: fault,
    onDone: relay.stir,
  });
  void queue.schedule().catch(fault);
  const stop = async () => {
    // The next worker repeats a screenshot in progress.
    const done = Promise.all([relay.stop(), worker.close(), capturing.close()]).then(() => true);
    const isDone = await Promise.race([done, Bun.sleep(jobsMs).then(() => false)]);
    if (!isDone) say(`Jobs that took longer than ${jobsMs / 1000} s are left to be done again.`);
  };
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= stop());
  undo(end);
  return { wakeRelay: relay.wake, end };
}

interface Serving {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly queue: OpenQueue;
  readonly wakeRelay?: () => void;
  readonly hasRoom?: () => boolean;
  readonly databaseTrouble: DatabaseWatch["trouble"];
  readonly leases: PublicLeases;
}

/** Creates the services of a process that answers requests: the instance, its change channel, and its write buffers. */
export function beginInstance(
  { environment, undo, fault }: Start,
  { config, database, queue, wakeRelay, hasRoom, databaseTrouble, leases }: Serving,
): Instance {
  const counters = openCounters(environment.redisUrl, fault);
  undo(() => counters.close());
  const instance = createInstance({
    config,
    db: database.connection,
    queue,
    counters,
    databaseTrouble,
    leases,
    ...(wakeRelay && { wakeRelay }),
    ...(hasRoom && { hasRoom }),
    publishChange: (artifactId) => channel.publishChange(artifactId),
    fault,
  });
  const channel = openNotifyChannel({
    databaseUrl: database.url,
    onChange: (artifactId) => instance.watching.wake(artifactId),
    onError: fault,
  });
  undo(() => channel.close());
  const flushing = [
    flushRegularly(instance.usage, usageFlushMs, fault),
    flushRegularly(instance.mcpUses, mcpUsesFlushMs, fault),
    flushRegularly(instance.shareUses, shareUsesFlushMs, fault),
    flushRegularly(instance.pageViews, pageViewsFlushMs, fault),
    flushRegularly(instance.recents, recentsFlushMs, fault),
  ];
  undo(() => Promise.all(flushing.map((one) => one.stop())));
  return instance;
}

/** The command line that the process hands out: the package of every build, and executables where there are some. */
export const clientFilesOf = ({ environment }: Start, { version }: Pick<Config, "version">): ClientFiles =>
  openClientFiles(
    { package: join(import.meta.dir, "../cli/dist/client"), executables: environment.clientDir },
    version,
  );

interface Counted {
  readonly config: Pick<Config, "version">;
  readonly database: OpenDatabase;
  readonly queue: OpenQueue;
  readonly databaseTrouble: DatabaseWatch["trouble"];
  /** Null where the process serves no event streams. */
  readonly watching: Instance["watching"] | null;
}

/** Starts the process's metrics; undefined where METRICS_TOKEN is not set. */
export function beginFigures(
  { environment: { metricsToken: token }, undo }: Start,
  { config, database, queue, databaseTrouble, watching }: Counted,
): Figures | undefined {
  if (token === null) return undefined;
  const metrics = startMetrics({ version: config.version, db: database.connection, queue, databaseTrouble, watching });
  undo(() => metrics.stop());
  return { token, ...metrics };
}

interface About {
  readonly config: Pick<Config, "version">;
  readonly database: OpenDatabase;
  readonly databaseTrouble: DatabaseWatch["trouble"];
  readonly capturing: OpenRenderer;
  readonly figures: Figures | undefined;
}

/** Starts the port on which a worker reports its state, where WORKER_PORT is set. */
export function beginWorkerServer(
  { environment, undo }: Start,
  { config, database, databaseTrouble, capturing, figures }: About,
): void {
  const { workerPort: port, host } = environment;
  if (port === null) return;
  const { browser } = capturing;
  const about = {
    port,
    host,
    version: config.version,
    db: database.connection,
    browser,
    databaseTrouble,
    figures: figures ?? null,
  };
  const server = startWorkerServer(about);
  undo(() => server.close());
}
