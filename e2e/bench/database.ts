// The way into an instance's embedded database, for what the benchmark does there by itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The address of a database on the embedded server of a data directory. */
export function databaseUrlOf(dataDir: string, database = "plinth"): string {
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim();
  return `postgres://plinth:${password}@localhost:5432/${database}?host=${encodeURIComponent(join(dataDir, "postgres"))}`;
}

export const socketPathOf = (dataDir: string): string => join(dataDir, "postgres/.s.PGSQL.5432");
