// The files of the embedded database: created completely or not at all, of the right version, and with one account that
// has a password and only the rights that Plinth needs. It must not know the server.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import type { Launcher } from "./postgres-launcher.ts";

/** The account and the database that Plinth uses. */
export const account = "plinth";

/** Refuses a data directory of another major version of PostgreSQL. */
export function requireVersion(cluster: string, major: string): void {
  const file = join(cluster, "PG_VERSION");
  const found = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  if (found === major) return;
  throw new Error(
    found === undefined
      ? `${cluster} is not a PostgreSQL data directory.`
      : `${cluster} was made by PostgreSQL ${found}, and this Plinth brings PostgreSQL ${major}: ` +
          "use the Plinth that made it, or move the data with its backup and restore.",
  );
}

/** Creates a new cluster beside its final path and moves it there when it is complete. */
export function createCluster(cluster: string, binaries: PostgresBinaries, launcher: Launcher, sync: boolean): void {
  const draft = `${cluster}.new`;
  // The draft is from a crash: the instance lock rules out another process.
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  launcher.own(draft);
  run(launcher, [
    binaries.initdb,
    `--pgdata=${draft}`,
    "--username=postgres",
    "--auth=reject",
    "--encoding=UTF8",
    // The builtin provider is the same on every machine and needs no system locale.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...(sync ? [] : ["--no-sync"]),
  ]);
  writeDurably(join(draft, "pg_hba.conf"), `local all ${account} scram-sha-256\n`);
  runSingle(draft, binaries, launcher, [
    `CREATE ROLE ${account} LOGIN CREATEDB`,
    `CREATE DATABASE ${account} OWNER ${account}`,
  ]);
  renameSync(draft, cluster);
  syncDirectory(dirname(cluster));
}

/** Sets the password of Plinth's account while the server is not running. */
export function setPassword(cluster: string, binaries: PostgresBinaries, launcher: Launcher, password: string): void {
  runSingle(cluster, binaries, launcher, [`ALTER ROLE ${account} PASSWORD '${password}'`]);
}

// Single-user mode needs no superuser login, so the cluster has none.
function runSingle(cluster: string, binaries: PostgresBinaries, launcher: Launcher, statements: string[]): void {
  const command = [binaries.postgres, "--single", "-D", cluster, "-c", "log_min_messages=fatal"];
  const input = statements.map((statement) => `${statement}\n`).join("");
  const said = run(launcher, [...command, "postgres"], input);
  // The program exits with 0 even if statements fail.
  if (/^(ERROR|FATAL|PANIC):/m.test(said)) throw new Error(`Preparing ${cluster} failed: ${said}`);
}

function run(launcher: Launcher, command: string[], input = ""): string {
  const result = Bun.spawnSync([...launcher.command, ...command], {
    ...launcher.options,
    stdin: Buffer.from(input),
  });
  const said = result.stderr.toString().trim();
  if (!result.success) throw new Error(`${basename(command[0] ?? "")} failed: ${said || result.exitCode}`);
  return said;
}

function writeDurably(path: string, content: string): void {
  const file = openSync(path, "w");
  writeSync(file, content);
  fsyncSync(file);
  closeSync(file);
}

function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  fsyncSync(directory);
  closeSync(directory);
}
