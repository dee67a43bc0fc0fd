// `bun start`: everything in one process on one port, with an embedded database unless DATABASE_URL names another.
import { createApi } from "@plinth/api/app";
import { createReads } from "@plinth/api/reads";
import type { TrustedProxies } from "@plinth/api/request-meta";
import { settleOwner } from "@plinth/domain/identity/owner";
import { emit } from "@plinth/domain/telemetry";
import { readRuntime } from "@plinth/runtime/manifest";
import { createWebHandler } from "@plinth/web/handler";

import { banner, signInNotes, transportNotes } from "./banner.ts";
import { sayPrices, sellingNotes } from "./billing-notes.ts";
import { configOf } from "./config.ts";
import { watchRoom } from "./disk-room.ts";
import { lockInstance } from "./instance-lock.ts";
import { listen } from "./listen.ts";
import { requireFree } from "./open-port.ts";
import {
  beginDatabase,
  beginDatabaseWatch,
  beginFigures,
  beginInstance,
  beginLeases,
  beginRenderer,
  beginPort,
  beginQueue,
  beginWork,
  beginWorkerServer,
  clientFilesOf,
} from "./parts.ts";
import { run } from "./run.ts";

/** The web app's peer name in requests to the API of the same process, in place of an IP address. */
const webPeer = "in-process";

await run("standalone", async (start) => {
  const { environment, undo, startedAt } = start;
  const lock = lockInstance(environment.dataDir);
  undo(() => lock.release());
  const opened = beginPort(start);
  requireFree(environment.workerPort, environment.host, "WORKER_PORT");
  // Before the database starts, so that an error here does not wait for its end.
  const runtime = await readRuntime();
  // In parallel with the start of the database.
  const opening = beginRenderer(start, runtime);
  const database = await beginDatabase(start);
  const config = configOf(environment);
  const jobs = beginQueue(start, database);
  // Only the host of a remote server knows its disk.
  const room =
    environment.databaseUrl === null ? watchRoom({ dataDir: environment.dataDir, onError: start.fault }) : null;
  undo(() => room?.stop());
  const hasRoom = () => room?.has() ?? true;
  const capturing = await opening;
  const leases = beginLeases(start, database, { holds: true });
  const work = beginWork(start, jobs, { db: database.jobs, config, capturing, hasRoom, leases });
  const databaseTrouble = beginDatabaseWatch(start, database, hasRoom);
  const instance = beginInstance(start, {
    config,
    database,
    queue: jobs.queue,
    wakeRelay: work.wakeRelay,
    hasRoom,
    databaseTrouble,
    leases,
  });
  // The web app names the client that it calls for, like any proxy in front of the API.
  const trustedProxies: TrustedProxies = {
    has: (address) => address === webPeer || environment.trustedProxies.has(address),
  };
  const { queue } = jobs;
  const figures = beginFigures(start, { config, database, queue, databaseTrouble, watching: instance.watching });
  beginWorkerServer(start, { config, database, databaseTrouble, capturing, figures });
  const clientFiles = clientFilesOf(start, config);
  const api = createApi({ instance, runtime, trustedProxies, clientFiles, figures });
  const web = await createWebHandler({
    api: (request) => api(request, webPeer),
    read: createReads({ instance, trustedProxies }, webPeer),
    publicUrl: config.publicUrl,
    contentOrigin: config.contentOrigin,
    stripeOrigin: config.billing?.apiBase,
    maxContentBytes: environment.maxContentBytes,
    version: config.version,
    site: environment.site,
    served: (request) => emit("request", request),
  });
  const owner = await settleOwner(database.connection, config);
  const server = listen({ environment, api, web, opened });
  // Requests and jobs drain at the same time: one after the other, the second would have no time left.
  undo(() => Promise.all([server.drain(), work.end()]));
  // Draining would wait for the end of a stream, so streams are closed first.
  undo(() => instance.watching.close());
  const notes = [
    ...(await signInNotes(database.connection, config, owner, process.stderr.isTTY)),
    ...transportNotes(config),
    ...sellingNotes(config),
  ];
  void sayPrices(instance.billing, start);
  const ready = banner({ environment, version: config.version, database: database.name, startedAt, notes });
  return { ready, exited: database.exited };
});
