// Opens an existing database for reading or copying: DATABASE_URL's, a running instance's, or the embedded one, which
// is started for the purpose and stopped afterwards.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { openDatabase, type DatabasePlace } from "./database.ts";
import { runningPostgresUrl } from "./embedded-postgres.ts";
import { InstanceInUse, lockInstance, type InstanceLock } from "./instance-lock.ts";

export interface Reached {
  readonly url: string;
  close(): Promise<void>;
}

/** Reads the location of the database from the environment. */
export const databasePlace = (): DatabasePlace => ({
  databaseUrl: process.env["DATABASE_URL"] || null,
  dataDir: process.env["DATA_DIR"] || "./data",
});

/** @throws Error one line, where there is none */
export async function reachDatabase(place: DatabasePlace): Promise<Reached> {
  const { databaseUrl, dataDir } = place;
  if (databaseUrl !== null) return { url: databaseUrl, close: () => Promise.resolve() };
  if (!existsSync(join(dataDir, "postgres"))) throw new Error(`There is no database in ${dataDir}`);
  const lock = lockIfFree(dataDir);
  if (lock === null) {
    const url = runningPostgresUrl(dataDir);
    if (url === undefined) throw new Error(`The instance on ${dataDir} is only starting. Try again.`);
    return { url, close: () => Promise.resolve() };
  }
  const database = await openDatabase(place, "tool");
  return { url: database.url, close: () => database.close().finally(() => lock.release()) };
}

function lockIfFree(dataDir: string): InstanceLock | null {
  try {
    return lockInstance(dataDir, 0);
  } catch (error) {
    if (error instanceof InstanceInUse) return null;
    throw error;
  }
}
