// The one-process composition: embedded database, API, web app and worker on one port.
import { createApi } from "@plinth/api/app";
import { logFault } from "@plinth/api/log";
import { createReads } from "@plinth/api/reads";
import { migrate } from "@plinth/db/migrate";
import { mcpUsesFlushMs } from "@plinth/domain/credentials/mcp-uses";
import { usageFlushMs } from "@plinth/domain/credentials/usage";
import { flushRegularly } from "@plinth/domain/noted";
import { shareUsesFlushMs } from "@plinth/domain/share-links/uses";
import { createInstance } from "@plinth/domain/instance";
import { settleOwner } from "@plinth/domain/identity/owner";
import { openQueue } from "@plinth/domain/jobs/open-queue";
import { startRelay } from "@plinth/domain/jobs/relay";
import { openLine } from "@plinth/domain/watching/line";
import { readRuntime } from "@plinth/domain/runtime/manifest";
import { closeThreads } from "@plinth/domain/threads/pool";
import { createWebHandler } from "@plinth/web/handler";
import { openPainter } from "@plinth/worker/painter/open-painter";
import { startWorker } from "@plinth/worker/worker";

import { banner, signInNotes, transportNotes } from "./banner.ts";
import { configOf } from "./config.ts";
import { openDatabase } from "./database.ts";
import { readEnvironment } from "./environment.ts";
import { lockInstance } from "./instance-lock.ts";
import { listen } from "./listen.ts";
import { onShutdown } from "./shutdown.ts";

/** What the API knows the web app of this process by, in place of an address. */
const webPeer = "in-process";

const startedAt = performance.now();
/** Undone in reverse when the process is told to end, or when starting fails halfway. */
const undo: (() => unknown)[] = [];

try {
  const environment = readEnvironment(process.env);
  const lock = lockInstance(environment.dataDir);
  undo.push(() => lock.release());

  // First, since what fails beside the database would leave it running.
  const runtime = await readRuntime();
  // While the database starts.
  const opening = openPainter({ runtime, chromiumPath: environment.chromiumPath, note });
  undo.push(async () => (await opening).close());
  const database = await openDatabase(environment);
  undo.push(() => database.close());
  await migrate(database.connection);

  const config = configOf(environment);
  const fault = (error: unknown) => logFault(error, "background");
  const place = {
    databaseUrl: database.url,
    ...(environment.redisUrl === null ? {} : { redisUrl: environment.redisUrl }),
  };
  const queue = openQueue(place, fault);
  const relay = startRelay(database.connection, queue, fault);
  const painting = await opening;
  const worker = startWorker({
    host: { db: database.connection, config, painter: painting.painter },
    place,
    onError: fault,
  });
  void queue.schedule().catch(fault);
  undo.push(async () => {
    await relay.stop();
    // A picture under way is taken again by the next worker.
    await Promise.all([worker.close(), painting.close()]);
    await queue.close();
    await closeThreads();
  });

  const instance = createInstance({
    config,
    db: database.connection,
    queue,
    nudge: relay.nudge,
    announce: (artifactId) => line.announce(artifactId),
    fault,
  });
  const line = openLine({
    databaseUrl: database.url,
    hear: (artifactId) => instance.watching.wake(artifactId),
    onError: fault,
  });
  undo.push(() => line.close());
  const flushing = [
    flushRegularly(instance.usage, usageFlushMs, fault),
    flushRegularly(instance.mcpUses, mcpUsesFlushMs, fault),
    flushRegularly(instance.shareUses, shareUsesFlushMs, fault),
  ];
  undo.push(() => Promise.all(flushing.map((one) => one.stop())));
  // The web app says whom it asks for, as any proxy before the API does.
  const trustedProxies = new Set([...environment.trustedProxies, webPeer]);
  const api = createApi({ instance, runtime, trustedProxies });
  const web = await createWebHandler({
    api: (request) => api(request, webPeer),
    read: createReads({ instance, trustedProxies }, webPeer),
    publicUrl: config.publicUrl,
    contentOrigin: config.contentOrigin,
    version: config.version,
  });
  const owner = await settleOwner(database.connection, config);
  const server = listen({ environment, api, web });
  undo.push(() => server.drain());
  // A stream is no request under way: it would be waited for to the last.
  undo.push(() => instance.watching.close());
  const notes = [
    ...(await signInNotes(database.connection, config, owner, process.stderr.isTTY)),
    ...transportNotes(config),
  ];
  process.stderr.write(banner({ environment, version: config.version, database: database.name, startedAt, notes }));
  onShutdown(() => unwind(undo), database.exited);
} catch (error) {
  process.stderr.write(`plinth: ${error instanceof Error ? error.message : String(error)}\n`);
  await unwind(undo);
  process.exit(1);
}

/** Says what whoever runs the instance should know. */
function note(line: string): void {
  process.stderr.write(`plinth: ${line}\n`);
}

/** One step that fails keeps no other from being undone. */
async function unwind(steps: (() => unknown)[]): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step();
    } catch (error) {
      logFault(error, "shutdown");
    }
  }
}
