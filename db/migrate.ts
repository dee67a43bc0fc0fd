// Migrates a database to this program's schema, under a lock, and refuses one that a newer program migrated.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/bun-sql";
import { migrate as runMigrations } from "drizzle-orm/bun-sql/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";

import type { Connection, Database } from "./connection.ts";

const migrationsFolder = join(import.meta.dir, "migrations");
/** Any number, the same in every process: the holder of the lock may migrate. */
const lockKey = 7_305_221_918;

const timeouts = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
const unlimited = timeouts.map((name) => `SET ${name} = 0`).join("; ");
/** Restores the settings of the connection's start. */
const asBefore = timeouts.map((name) => `RESET ${name}`).join("; ");

/** A newer version of Plinth migrated the database; serving it could lose data. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

export interface Migration {
  readonly hash: string;
  /** The migration's creation time as the database stores it, in ms. */
  readonly createdAt: number;
}

/** The migrations of this program, oldest first. */
export const knownMigrations = (): Migration[] =>
  readMigrationFiles({ migrationsFolder }).map(({ hash, folderMillis }) => ({ hash, createdAt: folderMillis }));

/** Migrates an empty database up to one migration, so that a backup from that time can be restored into it. */
export async function migrateUpTo(connection: Connection, { createdAt }: Migration): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plinth-migrations-"));
  try {
    cpSync(migrationsFolder, folder, { recursive: true });
    const path = join(folder, "meta/_journal.json");
    const journal = JSON.parse(readFileSync(path, "utf8")) as { entries: { when: number }[] };
    const entries = journal.entries.filter(({ when }) => when <= createdAt);
    writeFileSync(path, JSON.stringify({ ...journal, entries }));
    await migrate(connection, { folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Migrating {
  readonly folder?: string;
  /** Called when another process is migrating. */
  readonly onWait?: () => void;
}

/** Applies the missing migrations, once even if several processes start together. @throws NewerDatabase */
export async function migrate(
  connection: Connection,
  { folder = migrationsFolder, onWait }: Migrating = {},
): Promise<void> {
  const reserved = await connection.pool.reserve();
  try {
    // A migration, and the wait for another process's migration, take time in proportion to the data.
    await reserved.unsafe(unlimited);
    const [{ taken }] = await reserved`SELECT pg_try_advisory_lock(${lockKey}) AS taken`;
    if (!taken) {
      onWait?.();
      await reserved`SELECT pg_advisory_lock(${lockKey})`;
    }
    try {
      await refuseNewer(reserved);
      await runMigrations(drizzle({ client: reserved }), { migrationsFolder: folder });
    } finally {
      await reserved`SELECT pg_advisory_unlock(${lockKey})`;
    }
    await reserved.unsafe(asBefore);
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

/** How many migrations this program has and how many the database has; equal when the database is up to date. */
export async function migrationState(db: Database): Promise<{ known: number; applied: number }> {
  const [row] = await db.run<{ applied: number }>("SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations");
  return { known: readMigrationFiles({ migrationsFolder }).length, applied: row?.applied ?? 0 };
}
