// Access to an instance's embedded database for the benchmark's own statements.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { SQL } from "bun";

/** The URL of a database on the embedded server of a data directory. */
export function databaseUrlOf(dataDir: string, database = "plinth"): string {
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim();
  return `postgres://plinth:${password}@localhost:5432/${database}?host=${encodeURIComponent(join(dataDir, "postgres"))}`;
}

/** Runs one statement there over a separate connection. */
export async function runIn(dataDir: string, statement: string): Promise<void> {
  const client = new SQL(databaseUrlOf(dataDir), { max: 1 });
  await client.unsafe(statement);
  await client.close();
}
