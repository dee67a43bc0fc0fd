// Brings a database to this program's schema, under a lock, and refuses one that a newer program made.
import { join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sql";
import { migrate as runMigrations } from "drizzle-orm/bun-sql/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";

import type { Connection, Database } from "./connection.ts";

const migrationsFolder = join(import.meta.dir, "migrations");
/** Any number, the same in every process: whoever holds it may migrate. */
const lockKey = 7_305_221_918;

/** The database was made by a newer version of Plinth; serving it could lose data. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/**
 * Applies what is missing, once however many processes start together; `onWait` hears that another one is at it.
 * @throws NewerDatabase
 */
export async function migrate(connection: Connection, onWait: () => void = () => undefined): Promise<void> {
  const reserved = await connection.pool.reserve();
  try {
    const [{ taken }] = await reserved`SELECT pg_try_advisory_lock(${lockKey}) AS taken`;
    if (!taken) {
      onWait();
      await reserved`SELECT pg_advisory_lock(${lockKey})`;
    }
    try {
      await refuseNewer(reserved);
      await runMigrations(drizzle({ client: reserved }), { migrationsFolder });
    } finally {
      await reserved`SELECT pg_advisory_unlock(${lockKey})`;
    }
  } finally {
    await reserved.release();
  }
}

async function refuseNewer(client: Awaited<ReturnType<Connection["pool"]["reserve"]>>): Promise<void> {
  const [table] = await client`SELECT to_regclass('drizzle.__drizzle_migrations') AS name`;
  if (table.name === null) return;
  const [row] = await client`SELECT max(created_at)::text AS newest FROM drizzle.__drizzle_migrations`;
  const ours = Math.max(...readMigrationFiles({ migrationsFolder }).map((file) => file.folderMillis));
  if (Number(row.newest) > ours) {
    throw new NewerDatabase(
      "The database was made by a newer version of Plinth. Start that version, or restore a backup.",
    );
  }
}

/** How many migrations this program knows and how many the database has; equal when it is up to date. */
export async function migrationState(db: Database): Promise<{ known: number; applied: number }> {
  const [row] = await db.run<{ applied: number }>("SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations");
  return { known: readMigrationFiles({ migrationsFolder }).length, applied: row?.applied ?? 0 };
}
