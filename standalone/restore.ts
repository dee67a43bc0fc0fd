// `bun run restore FILE`: puts a backup into an empty place, DATABASE_URL or DATA_DIR, and has the doctor look at it. The
// file is read through before anything is touched; what then fails leaves nothing behind.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

import { connect } from "@plinth/db/connection";
import { examine, type Finding } from "@plinth/domain/doctor/examine";

import { BrokenBackup, type Secrets } from "./backup/format.ts";
import { nowhere, readBackup } from "./backup/read.ts";
import { migrationOf, restoreInto } from "./backup/restore.ts";
import { dataDirectory, dataFile } from "./data-file.ts";
import { openDatabase, type DatabasePlace } from "./database.ts";
import { findingText } from "./finding-text.ts";
import { InstanceInUse, lockInstance } from "./instance-lock.ts";
import { databasePlace } from "./reach-database.ts";

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

/** The exit status: 1 where the doctor finds something. */
async function restore(file: string, place: DatabasePlace): Promise<number> {
  const { header, secrets, rows } = await readBackup(file, nowhere);
  migrationOf(header);
  requireNoOther(place, secrets);
  const found = place.databaseUrl === null ? await embedded(file, place, header) : await elsewhere(file, place, header);
  const kept = keepSecrets(place, secrets);
  const where = place.databaseUrl === null ? place.dataDir : "the database";
  process.stdout.write(`${rows.toLocaleString("en")} rows of ${header.madeAt} are in ${where}.\n${kept}`);
  process.stdout.write(found.map(findingText).join(""));
  return found.every(({ problems }) => problems === 0) ? 0 : 1;
}

type Header = Parameters<typeof restoreInto>[3];

async function elsewhere(file: string, place: DatabasePlace, header: Header): Promise<Finding[]> {
  const connection = connect({ url: place.databaseUrl ?? "", max: 2 });
  try {
    await restoreInto(place.databaseUrl ?? "", connection, file, header);
    return await examine(connection);
  } finally {
    await connection.close();
  }
}

/** Of an embedded database that was not there before, nothing stays where this fails. */
async function embedded(file: string, place: DatabasePlace, header: Header): Promise<Finding[]> {
  const { dataDir } = place;
  const wasThere = existsSync(dataDir);
  const made = ["postgres", "postgres.new", "postgres-password", "postgres.log"].filter(
    (name) => !existsSync(join(dataDir, name)),
  );
  const lock = lockedBy(dataDir);
  let isDone = false;
  try {
    const database = await openDatabase(place);
    try {
      await restoreInto(database.url, database.connection, file, header);
      isDone = true;
      return await examine(database.connection);
    } finally {
      await database.close();
    }
  } finally {
    if (!isDone) for (const name of made) rmSync(join(dataDir, name), { recursive: true, force: true });
    lock.release();
    if (!isDone && !wasThere) rmSync(dataDir, { recursive: true, force: true });
  }
}

function lockedBy(dataDir: string) {
  try {
    return lockInstance(dataDir, 0);
  } catch (error) {
    if (!(error instanceof InstanceInUse)) throw error;
    throw new Error(`An instance is running on ${dataDir}. Restore into an empty place: DATA_DIR=./restored`);
  }
}

/** Sessions, links and tokens go on only with the secrets that they were made with. */
function requireNoOther({ dataDir }: DatabasePlace, secrets: Secrets): void {
  for (const name of Object.keys(secrets))
    if (existsSync(join(dataDir, name)))
      throw new Error(`There is a ${name} in ${dataDir} already. Restore into an empty place: DATA_DIR=./restored`);
}

/** Stores what the backup has of them; what is to be done with them. */
function keepSecrets({ dataDir, databaseUrl }: DatabasePlace, secrets: Secrets): string {
  dataDirectory(dataDir);
  const names = Object.entries(secrets).map(([name, value]) => {
    dataFile(dataDir, name, () => value);
    return join(dataDir, name);
  });
  if (databaseUrl === null || names.length === 0) return "";
  return `Its secrets are in ${names.join(" and ")}: start with them as SECRET and OPERATOR_TOKEN.\n`;
}
