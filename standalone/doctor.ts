// `bun run doctor [--json]`: examines DATABASE_URL, or the embedded database in DATA_DIR, whether or not an
// instance is serving it. Exits 1 where something does not hold.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { connect } from "@plinth/db/connection";
import { examine, type Finding } from "@plinth/domain/doctor/examine";

import { openDatabase, type OpenDatabase } from "./database.ts";
import { runningPostgresUrl } from "./embedded-postgres.ts";
import { InstanceInUse, lockInstance, type InstanceLock } from "./instance-lock.ts";

const { values } = parseArgs({ options: { json: { type: "boolean" } } });
const databaseUrl = process.env["DATABASE_URL"] || null;
const dataDir = process.env["DATA_DIR"] || "./data";

try {
  const patient = await reach();
  const findings = await examine(patient.connection).finally(() => patient.close());
  process.stdout.write(values.json ? `${JSON.stringify({ findings })}\n` : findings.map(lineOf).join(""));
  process.exit(findings.every(({ problems }) => problems === 0) ? 0 : 1);
} catch (error) {
  process.stderr.write(`doctor: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function lineOf({ name, problems, examples }: Finding): string {
  if (problems === 0) return `ok    ${name}\n`;
  return `${String(problems).padStart(4)}  ${name}\n${examples.map((example) => `        ${example}\n`).join("")}`;
}

/** The database as it is: a running instance's, or one started for the examination and stopped after it. */
async function reach(): Promise<Pick<OpenDatabase, "connection" | "close">> {
  if (databaseUrl !== null) return openDatabase({ databaseUrl, dataDir });
  if (!existsSync(join(dataDir, "postgres"))) throw new Error(`There is no database in ${dataDir}`);
  const lock = lockIfFree();
  if (lock === null) return reachRunning();
  const database = await openDatabase({ databaseUrl, dataDir });
  return { connection: database.connection, close: () => database.close().finally(() => lock.release()) };
}

function lockIfFree(): InstanceLock | null {
  try {
    return lockInstance(dataDir, 0);
  } catch (error) {
    if (error instanceof InstanceInUse) return null;
    throw error;
  }
}

function reachRunning(): Pick<OpenDatabase, "connection" | "close"> {
  const url = runningPostgresUrl(dataDir);
  if (url === undefined) throw new Error(`The instance on ${dataDir} is only starting. Try again.`);
  const connection = connect({ url, max: 2 });
  return { connection, close: () => connection.close() };
}
