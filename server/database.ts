// The database: the embedded one, or the one in DATABASE_URL. The code that uses it can't tell which.
import { connect, type Connection } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";
import type { ObjectStore } from "@plinth/db/object-store";

import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { openObjectStore } from "./object-store.ts";
import type { Environment } from "./environment.ts";
import { yieldBackends } from "./yield-backends.ts";

/**
 * The most connections to the embedded server, which shares the machine. Each is a process of 10 MB once it has been
 * used, and more of them answer no sooner, because simultaneous look-ups share a statement.
 */
const embeddedConnections = 6;

/** Jobs' connections are closed after so many idle seconds. */
const jobIdleSeconds = 60;
/** The number of jobs that can run at once, and one for the relay; each waits for a free connection. */
const jobConnections = { embedded: 4, elsewhere: 8 } as const;

export type DatabasePlace = Pick<Environment, "databaseUrl" | "dataDir"> & Partial<Pick<Environment, "objectStore">>;

export interface OpenDatabase {
  readonly url: string;
  /** For requests, with their limits. */
  readonly connection: Connection;
  /** For jobs, which may take minutes. Opens its connections on first use. */
  readonly jobs: Connection;
  /** The description in the banner. */
  readonly name: string;
  /** Settles when an embedded server ends unasked; never for another server. */
  readonly exited: Promise<unknown>;
  close(): Promise<void>;
}

/** `kind` names the connections in pg_stat_activity. */
export async function openDatabase(
  { databaseUrl, dataDir, objectStore = null }: DatabasePlace,
  kind: string,
): Promise<OpenDatabase> {
  const objects = objectStore === null ? null : openObjectStore(objectStore);
  if (databaseUrl !== null) {
    return {
      ...connections(databaseUrl, kind, objects, { jobs: jobConnections.elsewhere }),
      url: databaseUrl,
      name: `PostgreSQL at ${new URL(databaseUrl).host || "a local socket"}`,
      exited: new Promise(() => undefined),
    };
  }
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  const { connection, jobs, close } = connections(server.url, kind, objects, {
    requests: embeddedConnections,
    jobs: jobConnections.embedded,
  });
  return {
    url: server.url,
    connection,
    jobs,
    name: "embedded PostgreSQL 18",
    exited: server.exited,
    async close() {
      await close();
      await server.stop();
    },
  };
}

function connections(
  url: string,
  kind: string,
  objects: ObjectStore | null,
  max: { readonly requests?: number; readonly jobs: number },
) {
  const name = `plinth-${kind}`;
  const connection = connect({ url, name, objects, ...(max.requests !== undefined && { max: max.requests }) });
  const ofJobs = `${name}-jobs`;
  const jobs = connect({
    url,
    name: ofJobs,
    // A limit of requests means that the server is embedded.
    ...(max.requests !== undefined && { onOpen: yieldBackends({ db: connection, name: ofJobs }) }),
    objects,
    max: max.jobs,
    limits: limits.jobs,
    idleSeconds: jobIdleSeconds,
  });
  return {
    connection,
    jobs,
    close: async () => void (await Promise.all([connection.close(), jobs.close()])),
  };
}
