// `bun run api`: the API as a process of its own, any number of them. Jobs are left to workers: what a request causes waits
// in the outbox, and the queue is only looked at for the operator.
import { createApi } from "@plinth/api/app";
import { settleOwner } from "@plinth/domain/identity/owner";
import { readRuntime } from "@plinth/domain/render/manifest";

import { readyLine, signInNotes, transportNotes } from "./banner.ts";
import { sayPrices, sellingNotes } from "./billing-notes.ts";
import { configOf } from "./config.ts";
import { listen } from "./listen.ts";
import { requireFree } from "./open-port.ts";
import { beginDatabase, beginDatabaseWatch, beginFigures, beginInstance, beginQueue } from "./parts.ts";
import { run } from "./run.ts";

await run("api", async (start) => {
  const { environment, undo } = start;
  // Opened once this serves: a proxy sends requests to a port that answers, also if with 503, and others could serve them.
  requireFree(environment.port, environment.host, "PORT");
  const runtime = await readRuntime();
  const config = configOf(environment);
  const database = await beginDatabase(start);
  const { queue } = beginQueue(start, database);
  const databaseTrouble = beginDatabaseWatch(start, database);
  const instance = beginInstance(start, { config, database, queue, databaseTrouble });
  const figures = beginFigures(start, { config, database, queue, databaseTrouble, watching: instance.watching });
  const api = createApi({ instance, runtime, trustedProxies: environment.trustedProxies, figures });
  const owner = await settleOwner(database.connection, config);
  const server = listen({ environment, api, web: null });
  undo(() => server.drain());
  // A stream is no request under way: it would be waited for to the last.
  undo(() => instance.watching.close());
  const notes = [
    ...(await signInNotes(database.connection, config, owner, false)),
    ...transportNotes(config),
    ...sellingNotes(config),
  ];
  void sayPrices(instance.billing, start);
  return { ready: readyLine("api", start, `on ${server.address}, ${database.name}`, notes) };
});
