// The database: the embedded one, or whichever DATABASE_URL names. What is connected to it can't tell.
import { connect, type Connection } from "@plinth/db/connection";

import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import type { Environment } from "./environment.ts";

/**
 * To the embedded server, which shares a machine with us: each is a process that takes 10 MB once it has been used, and more
 * of them answer no sooner, since look-ups that arrive together share a statement.
 */
const embeddedConnections = 6;

export type DatabasePlace = Pick<Environment, "databaseUrl" | "dataDir">;

export interface OpenDatabase {
  readonly url: string;
  readonly connection: Connection;
  /** For the banner. */
  readonly name: string;
  /** Settles when an embedded server ends by itself; never for another. */
  readonly exited: Promise<unknown>;
  close(): Promise<void>;
}

export async function openDatabase({ databaseUrl, dataDir }: DatabasePlace): Promise<OpenDatabase> {
  if (databaseUrl !== null) {
    const connection = connect({ url: databaseUrl });
    const name = `PostgreSQL at ${new URL(databaseUrl).host || "a local socket"}`;
    return {
      url: databaseUrl,
      connection,
      name,
      exited: new Promise(() => undefined),
      close: () => connection.close(),
    };
  }
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  const connection = connect({ url: server.url, max: embeddedConnections });
  return {
    url: server.url,
    connection,
    name: "embedded PostgreSQL 18",
    exited: server.exited,
    async close() {
      await connection.close();
      await server.stop();
    },
  };
}
