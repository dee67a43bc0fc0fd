// The database: the embedded one, or whichever DATABASE_URL names. What is connected to it can't tell.
import { connect, type Connection } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";

import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import type { Environment } from "./environment.ts";

/**
 * To the embedded server, which shares a machine with us: each is a process that takes 10 MB once it has been used, and more
 * of them answer no sooner, since look-ups that arrive together share a statement.
 */
const embeddedConnections = 6;

/** Closed when jobs have not used them for a while, in s. */
const jobIdleSeconds = 60;
/** As many as jobs may run at once, and one of the relay's; each waits for a free one. */
const jobConnections = { embedded: 4, elsewhere: 8 } as const;

export type DatabasePlace = Pick<Environment, "databaseUrl" | "dataDir">;

export interface OpenDatabase {
  readonly url: string;
  /** For requests: nothing takes longer than they may wait. */
  readonly connection: Connection;
  /** For jobs, which may take minutes. Opens no connection before it is used. */
  readonly jobs: Connection;
  /** For the banner. */
  readonly name: string;
  /** Settles when an embedded server ends by itself; never for another. */
  readonly exited: Promise<unknown>;
  close(): Promise<void>;
}

/** `kind` is what the connections are called by in pg_stat_activity. */
export async function openDatabase({ databaseUrl, dataDir }: DatabasePlace, kind: string): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    return {
      ...connections(databaseUrl, kind, { jobs: jobConnections.elsewhere }),
      url: databaseUrl,
      name: `PostgreSQL at ${new URL(databaseUrl).host || "a local socket"}`,
      exited: new Promise(() => undefined),
    };
  }
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  const { connection, jobs, close } = connections(server.url, kind, {
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

function connections(url: string, kind: string, max: { readonly requests?: number; readonly jobs: number }) {
  const name = `plinth-${kind}`;
  const connection = connect({ url, name, ...(max.requests !== undefined && { max: max.requests }) });
  const jobs = connect({
    url,
    name: `${name}-jobs`,
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
