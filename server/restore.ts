// `bun run restore FILE`: restores a backup into an empty DATABASE_URL or DATA_DIR, and runs the doctor on it. The file
// is verified before anything changes, and a later error leaves nothing behind.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { connect } from "@plinth/db/connection";
import { limits } from "@plinth/db/limits";
import { examine, type Finding } from "@plinth/domain/doctor/examine";

import { BrokenBackup, type Header, type Secrets } from "./backup/format.ts";
import { nowhere, readBackup } from "./backup/read.ts";
import { migrationOf, restoreInto } from "./backup/restore.ts";
import { dataDirectory, dataFile } from "./data-file.ts";
import { openDatabase, type DatabasePlace } from "./database.ts";
import { findingText } from "./finding-text.ts";
import { InstanceInUse, lockInstance } from "./instance-lock.ts";
import { databasePlace } from "./reach-database.ts";

/**
 * Deletes the files that an incomplete restore created in a data directory. The directory and its empty lock file stay,
 * because another process may be waiting for that lock.
 */
const makes = ["postgres", "postgres.new", "postgres-password", "postgres.log", "secret", "operator-token"];

class Undo {
  readonly #made: readonly string[];
  #isKept = false;

  /** Call it before the first file is created, with the directory's lock held. */
  constructor(readonly dataDir: string) {
    this.#made = makes.filter((name) => !existsSync(join(dataDir, name)));
  }

  keep(): void {
    this.#isKept = true;
  }

  /** Deletes the files that did not exist before, unless `keep` was called. */
  undo(): void {
    if (this.#isKept) return;
    for (const name of this.#made) rmSync(join(this.dataDir, name), { recursive: true, force: true });
  }
}

const [path, ...more] = process.argv.slice(2);
if (path === undefined || more.length > 0 || path.startsWith("-")) {
  process.stderr.write("bun run restore FILE\n");
  process.exit(2);
}

try {
  process.exit(await restore(path, databasePlace()));
} catch (error) {
  const said = error instanceof Error ? error.message : String(error);
  const about = error instanceof BrokenBackup ? `${path} can't be restored: ${said}` : said;
  process.stderr.write(`restore: ${about.replace(/\.?$/, ".")}\n`);
  process.exit(1);
}

/** Returns the exit status: 1 where the doctor finds a violation. */
async function restore(file: string, place: DatabasePlace): Promise<number> {
  const { header, secrets, rows } = await readBackup(file, nowhere);
  migrationOf(header);
  requireNoOther(place, secrets);
  const lock = place.databaseUrl === null ? lockedBy(place.dataDir) : null;
  const kept = new Undo(place.dataDir);
  let found: Finding[];
  try {
    // Before the rows, because rows without their secrets would look like a finished restore.
    keepSecrets(place, secrets);
    found = await putBack(file, place, header, () => kept.keep());
  } finally {
    // In this order: a process that waits for the lock must find the cleanup finished.
    kept.undo();
    lock?.release();
  }
  const where = place.databaseUrl === null ? place.dataDir : "the database";
  process.stdout.write(`${rows.toLocaleString("en")} rows of ${header.madeAt} are in ${where}.\n`);
  process.stdout.write(whatToSet(place, secrets) + found.map(findingText).join(""));
  return found.every(({ problems }) => problems === 0) ? 0 : 1;
}

async function putBack(file: string, place: DatabasePlace, header: Header, onDone: () => void): Promise<Finding[]> {
  const database = await openDatabase(place, "restore");
  const connection = connect({ url: database.url, max: 2, name: "plinth-restore", limits: limits.tools });
  try {
    await restoreInto(database.url, connection, file, header);
    onDone();
    return await examine(connection);
  } finally {
    await connection.close();
    await database.close();
  }
}

function lockedBy(dataDir: string) {
  try {
    return lockInstance(dataDir, 0);
  } catch (error) {
    if (!(error instanceof InstanceInUse)) throw error;
    throw new Error(`An instance is running on ${dataDir}. Restore into an empty place: DATA_DIR=./restored`, {
      cause: error,
    });
  }
}

/** Sessions, links and tokens remain valid only with the secrets that created them. */
function requireNoOther({ dataDir }: DatabasePlace, secrets: Secrets): void {
  for (const [name, value] of Object.entries(secrets)) {
    const path = join(dataDir, name);
    // A killed restore may have left the same secret.
    if (existsSync(path) && readFileSync(path, "utf8").trim() !== value)
      throw new Error(`There is a ${name} in ${dataDir} already. Restore into an empty place: DATA_DIR=./restored`);
  }
}

function keepSecrets({ dataDir }: DatabasePlace, secrets: Secrets): void {
  for (const [name, value] of Object.entries(secrets)) dataFile(dataDirectory(dataDir), name, () => value);
}

/** With DATABASE_URL the environment has the secrets. */
function whatToSet({ dataDir, databaseUrl }: DatabasePlace, secrets: Secrets): string {
  const paths = Object.keys(secrets).map((name) => join(dataDir, name));
  if (databaseUrl === null || paths.length === 0) return "";
  return `Its secrets are in ${paths.join(" and ")}: start with them as SECRET and OPERATOR_TOKEN.\n`;
}
