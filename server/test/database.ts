// The database of a test run: a preload of `bun test` (bunfig.toml) that starts one embedded PostgreSQL for the process
// and sets TEST_DATABASE_URL, unless that is already set. It must not know the tests; db/test/database.ts creates a database
// for each test file there.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "../embedded-postgres.ts";
import { copyPreparedDatabase } from "@plinth/support/prepared-database";

/**
 * Starts a database for the lifetime of this process, and sets TEST_DATABASE_URL. It is stopped and its files are
 * deleted when the process has ended for any reason. With KEEP_DATABASE=1 it stays.
 */
export async function startTestDatabase(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "plinth-test-"));
  const isKept = process.env["KEEP_DATABASE"] === "1";
  if (!isKept) guard(directory);
  await copyPreparedDatabase(directory);
  const database = await startEmbeddedPostgres({
    dataDir: directory,
    // The data is disposable, and tests create hundreds of databases.
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: 200,
    },
  });
  process.env.TEST_DATABASE_URL = database.url;
  if (isKept) console.error(`kept: PostgreSQL in ${directory}; kill ${database.pid} ends it`);
}

// Hooks don't run when a run bails out, crashes or is killed. The guard's standard input ends with this process in each
// case. The pid file disappears last, at the end of a shutdown; the process itself may remain a zombie for as long as
// the machine's init takes.
function guard(directory: string): void {
  const script = `trap "" HUP INT TERM; read -r _
    file="$1/postgres/postmaster.pid"; n=0
    [ -e "$file" ] && pid=$(head -n 1 "$file") && kill -INT "$pid"
    while [ -e "$file" ] && [ $n -lt 200 ]; do sleep 0.02; n=$((n + 1)); done
    [ -e "$file" ] && kill -KILL "$pid"; rm -rf "$1"`;
  Bun.spawn(["/bin/sh", "-c", script, "sh", directory], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  }).unref();
}

if (process.env.TEST_DATABASE_URL === undefined) await startTestDatabase();
