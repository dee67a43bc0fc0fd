// `bun server/test/prepared-database.ts DIRECTORY`: creates a data directory with a migrated database. Tests start on
// copies of it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { copyDatabase } from "@plinth/support/prepared-database";
import { connect } from "@plinth/db/connection";
import { migrate } from "@plinth/db/migrate";
import { requireTemplate } from "@plinth/db/test/database";

import { startEmbeddedPostgres } from "../embedded-postgres.ts";

/** Prepares an empty directory, including the template of db/test/database.ts. */
async function prepare(to: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "plinth-prepared-"));
  const database = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  try {
    const connection = connect({ url: database.url, max: 1 });
    await migrate(connection);
    await connection.close();
    await requireTemplate(database.url);
    await database.stop();
    await copyDatabase(dataDir, to);
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true });
  }
}

if (import.meta.main) await prepare(process.argv[2] ?? "");
