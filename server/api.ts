// `bun run api`: a process with the API only; any number can run. Workers do the jobs: a request writes its jobs to the
// outbox, and this process only reads the queue for the operator.
import { createApi } from "@plinth/api/app";
import { settleOwner } from "@plinth/domain/identity/owner";
import { readRuntime } from "@plinth/runtime/manifest";

import { readyLine, signInNotes, transportNotes } from "./banner.ts";
import { sayPrices, sellingNotes } from "./billing-notes.ts";
import { configOf } from "./config.ts";
import { listen } from "./listen.ts";
import { requireFree } from "./open-port.ts";
import {
  beginDatabase,
  beginDatabaseWatch,
  beginFigures,
  beginInstance,
  beginLeases,
  beginQueue,
  clientFilesOf,
} from "./parts.ts";
import { run } from "./run.ts";

await run("api", async (start) => {
  const { environment, undo } = start;
  // The port is checked now and opened once this process serves. A proxy sends requests to a port that answers, even
  // with 503, while another process could serve them.
  requireFree(environment.port, environment.host, "PORT");
  const runtime = await readRuntime();
  const config = configOf(environment);
  const database = await beginDatabase(start);
  const { queue } = beginQueue(start, database);
  const databaseTrouble = beginDatabaseWatch(start, database);
  const leases = beginLeases(start, database, { holds: true });
  const instance = beginInstance(start, { config, database, queue, databaseTrouble, leases });
  const figures = beginFigures(start, { config, database, queue, databaseTrouble, watching: instance.watching });
  const { trustedProxies } = environment;
  const clientFiles = clientFilesOf(start, config);
  const api = createApi({ instance, runtime, trustedProxies, clientFiles, figures });
  const owner = await settleOwner(database.connection, config);
  const server = listen({ environment, api, web: null });
  undo(() => server.drain());
  // Draining would wait for the end of a stream, so streams are closed first.
  undo(() => instance.watching.close());
  const notes = [
    ...(await signInNotes(database.connection, config, owner, false)),
    ...transportNotes(config),
    ...sellingNotes(config),
  ];
  void sayPrices(instance.billing, start);
  return { ready: readyLine("api", start, `on ${server.address}, ${database.name}`, notes) };
});
