// `bun run worker`: a process with relay and worker; any number can run. It opens no port but WORKER_PORT's.
import { readRuntime } from "@plinth/runtime/manifest";

import { readyLine } from "./banner.ts";
import { jobConfigOf } from "./config.ts";
import { requireFree } from "./open-port.ts";
import {
  beginDatabase,
  beginDatabaseWatch,
  beginFigures,
  beginLeases,
  beginRenderer,
  beginQueue,
  beginWork,
  beginWorkerServer,
} from "./parts.ts";
import { run } from "./run.ts";

await run("worker", async (start) => {
  const { workerPort, host } = start.environment;
  requireFree(workerPort, host, "WORKER_PORT");
  const config = jobConfigOf(start.environment);
  const opening = beginRenderer(start, await readRuntime());
  const database = await beginDatabase(start);
  const jobs = beginQueue(start, database);
  const capturing = await opening;
  const leases = beginLeases(start, database, { holds: false });
  beginWork(start, jobs, { db: database.jobs, config, capturing, leases });
  const databaseTrouble = beginDatabaseWatch(start, database);
  const figures = beginFigures(start, { config, database, queue: jobs.queue, databaseTrouble, watching: null });
  beginWorkerServer(start, { config, database, databaseTrouble, capturing, figures });
  return { ready: readyLine("worker", start, database.name) };
});
