// The server process of `bun run dev`: API, relay and worker without the web app, on a free local port that it reports
// to its parent process (dev.ts). The parent restarts it after each change.
import { createApi } from "@plinth/api/app";
import { settleOwner } from "@plinth/domain/identity/owner";
import { readRuntime } from "@plinth/runtime/manifest";

import { signInNotes, transportNotes } from "./banner.ts";
import { sayPrices, sellingNotes } from "./billing-notes.ts";
import { configOf } from "./config.ts";
import { listen } from "./listen.ts";
import { openPort } from "./open-port.ts";
import {
  beginDatabase,
  beginDatabaseWatch,
  beginFigures,
  beginInstance,
  beginLeases,
  beginRenderer,
  beginQueue,
  beginWork,
  beginWorkerServer,
  clientFilesOf,
} from "./parts.ts";
import { run } from "./run.ts";
import { tellStarter } from "./starter.ts";

/** Only the first start creates a sign-in link. */
const isFirst = process.argv.includes("--first");

await run("standalone", async (start) => {
  const { environment, undo } = start;
  const opened = openPort({ ...environment, host: "127.0.0.1", port: 0 });
  undo(() => opened.server.stop(true));
  const runtime = await readRuntime();
  const opening = beginRenderer(start, runtime);
  const config = configOf(environment);
  const database = await beginDatabase(start);
  const jobs = beginQueue(start, database);
  const capturing = await opening;
  const leases = beginLeases(start, database, { holds: true });
  const work = beginWork(start, jobs, { db: database.jobs, config, capturing, leases });
  const databaseTrouble = beginDatabaseWatch(start, database);
  const { queue } = jobs;
  const instance = beginInstance(start, {
    config,
    database,
    queue,
    wakeRelay: work.wakeRelay,
    databaseTrouble,
    leases,
  });
  const figures = beginFigures(start, { config, database, queue, databaseTrouble, watching: instance.watching });
  beginWorkerServer(start, { config, database, databaseTrouble, capturing, figures });
  const { trustedProxies } = environment;
  const clientFiles = clientFilesOf(start, config);
  const api = createApi({ instance, runtime, trustedProxies, clientFiles, figures });
  const owner = await settleOwner(database.connection, config);
  const server = listen({ environment, api, web: null, opened });
  undo(() => Promise.all([server.drain(), work.end()]));
  undo(() => instance.watching.close());
  const notes = isFirst
    ? [
        // The link is shown to the developer even where the output goes to a file.
        ...(await signInNotes(database.connection, config, owner, true)),
        ...transportNotes(config),
        ...sellingNotes(config),
      ]
    : [];
  if (isFirst) void sayPrices(instance.billing, start);
  tellStarter({ origin: server.address, notes });
  return { ready: "" };
});
