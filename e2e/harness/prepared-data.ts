// The data directory of an instance that has started once: its database is made and migrated. A test run prepares one, and
// each instance that brings no directory gets a copy, in which nothing is left to do but to start.
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { startInstance } from "./instance.ts";
import { temporaryFolder } from "./process.ts";

const variable = "PLINTH_PREPARED_DATA";
/** Made anew at each start. */
const own = ["instance.lock", "disk-reserve", "postgres.log"];

/** Prepares one for this process and those it starts, until what it returns is called. */
export async function prepareData(): Promise<() => Promise<void>> {
  const dataDir = await temporaryFolder("prepared");
  const instance = await startInstance({ dataDir });
  await instance.stop();
  process.env[variable] = dataDir;
  return async () => {
    delete process.env[variable];
    await rm(dataDir, { recursive: true });
  };
}

/** Fills an empty directory, where one is prepared. */
export async function copyPrepared(to: string): Promise<void> {
  const prepared = process.env[variable];
  if (prepared === undefined) return;
  const names = (await readdir(prepared)).filter((name) => !own.includes(name));
  await Promise.all(
    names.map((name) => cp(join(prepared, name), join(to, name), { recursive: true, preserveTimestamps: true })),
  );
}
