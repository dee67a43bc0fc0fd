// A fresh, migrated database for a test file, on the server at TEST_DATABASE_URL.
import { SQL } from "bun";

import { connect, type Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";

export interface TestDatabase extends Connection {
  readonly url: string;
  /** Closes the connection and drops the database. */
  drop(): Promise<void>;
}

/** @throws where TEST_DATABASE_URL is not set: a test that needs a database does not pass without one. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error("TEST_DATABASE_URL is not set; run the tests through `bun run test`");
  const name = `test_${Bun.randomUUIDv7().replaceAll("-", "")}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = withDatabase(server, name);
  const connection = connect({ url });
  await migrate(connection);
  return {
    ...connection,
    get orm() {
      return connection.orm;
    },
    url,
    drop: async () => {
      await connection.close();
      // Not WITH (FORCE): it refuses where autovacuum, another role's, is at work; the plain form sends that away.
      await administer(
        server,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`,
        `DROP DATABASE ${name}`,
      );
    },
  };
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function administer(server: string, ...statements: string[]): Promise<void> {
  const client = new SQL(server, { max: 1 });
  for (const statement of statements) await client.unsafe(statement);
  await client.close();
}
