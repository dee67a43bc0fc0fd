// A new, migrated database for a test file, on the server at TEST_DATABASE_URL: a copy of a template database, which is
// migrated once for each server and each set of migrations.
import { SQL } from "bun";

import { connect, type Connection } from "../connection.ts";
import type { ObjectStore } from "../object-store.ts";
import { knownMigrations, migrate } from "../migrate.ts";

export interface TestDatabase extends Connection {
  readonly url: string;
  /** Closes the connection and drops the database. With KEEP_DATABASE=1 the database stays, and its URL is printed. */
  drop(): Promise<void>;
}

/** @throws where TEST_DATABASE_URL is not set: a test that needs a database must not pass without one. */
export async function testDatabase(objects: ObjectStore | null = null): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error("TEST_DATABASE_URL is not set; run the tests through `bun run test`");
  const name = `test_${Bun.randomUUIDv7().replaceAll("-", "")}`;
  // Copying files takes half the time of a copy through the write-ahead log.
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${await requireTemplate(server)} STRATEGY FILE_COPY`);
  const url = withDatabase(server, name);
  const connection = connect({ url, objects });
  return {
    ...connection,
    get orm() {
      return connection.orm;
    },
    url,
    drop: async () => {
      await connection.close();
      if (process.env["KEEP_DATABASE"] === "1") return console.error(`kept: psql '${url}'`);
      // Not WITH (FORCE): it fails while autovacuum, which has another role, is at work; the plain form ends
      // autovacuum.
      await administer(
        server,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`,
        `DROP DATABASE ${name}`,
      );
    },
  };
}

const templates = new Map<string, Promise<string>>();

/** The name of the server's template database. The first process that needs it creates it. */
export function requireTemplate(server: string): Promise<string> {
  let template = templates.get(server);
  if (template === undefined) templates.set(server, (template = makeTemplate(server)));
  return template;
}

/** Any number, the same in every process: the holder of the lock may create the template. */
const templateLock = 7_305_221_919;

async function makeTemplate(server: string): Promise<string> {
  const hashes = knownMigrations().map(({ hash }) => hash);
  const name = `template_${Bun.hash(hashes.join()).toString(36)}`;
  const draft = `${name}_draft`;
  const client = new SQL(server, { max: 1 });
  await client`SELECT pg_advisory_lock(${templateLock})`;
  const [found] = await client`SELECT 1 FROM pg_database WHERE datname = ${name}`;
  if (!found) {
    // A killed run can leave a draft behind. The rename makes the template appear complete or not at all.
    await client.unsafe(`DROP DATABASE IF EXISTS ${draft}`);
    await client.unsafe(`CREATE DATABASE ${draft}`);
    const connection = connect({ url: withDatabase(server, draft), max: 1 });
    await migrate(connection);
    await connection.close();
    await client.unsafe(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  }
  await client.close();
  return name;
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
