// The embedded database: a real PostgreSQL that runs as a child of this process on DATA_DIR/postgres. It must not know
// what Plinth stores there.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { dataDirectory, dataFile } from "./data-file.ts";
import { postgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";
import { chooseLauncher, type Launcher } from "./postgres-launcher.ts";
import { endOrphan, readPostmaster } from "./postgres-orphan.ts";
import { settings as defaults } from "./postgres-settings.ts";
import { port, socketDirectory } from "./postgres-socket.ts";

// The files of the embedded database: created completely or not at all, of the right version, and with one account that
// has a password and only the rights that Plinth needs. It must not know the server.

/** The account and the database that Plinth uses. */
const account = "plinth";

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
function setPassword(cluster: string, binaries: PostgresBinaries, launcher: Launcher, password: string): void {
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

export interface EmbeddedPostgres {
  /** For Bun.SQL and npm's pg alike; over a Unix socket, with the password in it. */
  url: string;
  pid: number;
  /** Settles when the server ends, asked or unasked. */
  exited: Promise<unknown>;
  /** Shuts the server down within 8 s; a second call waits for the first. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  dataDir: string;
  /** Receives one line for each message to the operator. */
  log?: (line: string) => void;
  /** Server settings that add to the defaults or override them. */
  settings?: Record<string, string | number>;
}

/** The longest recovery of a server after a crash, in ms. */
const startLimit = 60_000;

/**
 * Starts the embedded database. Creates it on first use and stops a server that a killed Plinth left running. The
 * caller holds the instance lock. @throws Error one line, when it cannot run here or does not start within a minute
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const settings = { ...defaults, ...options.settings };
  const dataDir = dataDirectory(options.dataDir);
  const cluster = join(dataDir, "postgres");
  const binaries = postgresBinaries();
  if (existsSync(cluster)) requireVersion(cluster, binaries.major);
  const launcher = chooseLauncher(cluster, existsSync(cluster) ? cluster : dataDir, binaries.postgres);
  const orphan = await endOrphan(cluster, log);
  if (orphan !== undefined) log(`Ended the PostgreSQL of an earlier Plinth (process ${orphan}).`);
  if (!existsSync(cluster)) {
    log(`Making the database in ${cluster}.`);
    createCluster(cluster, binaries, launcher, settings.fsync !== "off");
  }
  // Set in the cluster before it is stored: after a lost password, the next start sets a new one.
  const password = dataFile(dataDir, "postgres-password", () => {
    const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
    setPassword(cluster, binaries, launcher, fresh);
    return fresh;
  });
  const socket = socketDirectory(cluster, launcher);
  const command = [...launcher.command, binaries.postgres, "-D", cluster, "-k", socket];
  for (const [name, value] of Object.entries({ ...settings, port })) {
    command.push("-c", `${name}=${value}`);
  }
  const server = await launch(command, launcher, cluster, join(dataDir, "postgres.log"));
  // It has a separate session, so it would outlive a process that ends without stopping it: past the time of the shutdown,
  // after a second signal, or by an error. The write-ahead log makes the immediate shutdown safe.
  const takeAlong = () => server.kill("SIGQUIT");
  process.on("exit", takeAlong);
  void server.exited.then(() => process.off("exit", takeAlong));
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(password, socket),
    pid: server.pid,
    exited: server.exited,
    stop: () =>
      (stopped ??= stop(server).then(() => {
        if (socket !== cluster) rmSync(socket, { recursive: true, force: true });
      })),
  };
}

/** The URL of the server that an instance runs on this data directory; undefined where there is none. */
export function runningPostgresUrl(dataDir: string): string | undefined {
  const directory = dataDirectory(dataDir);
  const socket = readPostmaster(join(directory, "postgres"))?.socket;
  if (socket === undefined) return undefined;
  return urlOf(readFileSync(join(directory, "postgres-password"), "utf8").trim(), socket);
}

function urlOf(password: string, socket: string): string {
  return `postgres://${account}:${password}@localhost:${port}/${account}?host=${encodeURIComponent(socket)}`;
}

async function launch(
  command: string[],
  launcher: Launcher,
  cluster: string,
  logPath: string,
): Promise<Bun.Subprocess> {
  if (existsSync(logPath) && statSync(logPath).size > 8 << 20) renameSync(logPath, `${logPath}.1`);
  const logFile = openSync(logPath, "a", 0o600);
  const from = statSync(logPath).size;
  try {
    for (const end = Date.now() + startLimit; ;) {
      // In a new session: Ctrl-C in the terminal must not stop it before Plinth has drained.
      const server = Bun.spawn(command, {
        ...launcher.options,
        detached: true,
        stdio: ["ignore", logFile, logFile],
      });
      server.unref();
      if (await isReady(server, cluster, end)) return server;
      const said = readFileSync(logPath).subarray(from).toString().trim();
      // The last processes of a killed server are still running.
      if (/terminate any old server processes/i.test(said.slice(-400)) && Date.now() < end) {
        await Bun.sleep(50);
        continue;
      }
      const reason = said.split("\n").findLast((line) => /FATAL|PANIC/.test(line)) ?? said.split("\n").at(-1);
      throw new Error(`PostgreSQL did not start on ${cluster}: ${reason} (${logPath})`);
    }
  } finally {
    closeSync(logFile);
  }
}

async function isReady(server: Bun.Subprocess, cluster: string, end: number): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    const postmaster = readPostmaster(cluster);
    if (postmaster?.pid === server.pid && postmaster.ready) return true;
    if (Date.now() > end) {
      await stop(server);
      return false;
    }
    await Bun.sleep(5);
  }
  return false;
}

// Fast shutdown, then immediate (which the write-ahead log makes safe), then SIGKILL.
async function stop(server: Bun.Subprocess): Promise<void> {
  server.ref();
  for (const [signal, limit] of [
    ["SIGINT", 5000],
    ["SIGQUIT", 2000],
    ["SIGKILL", 1000],
  ] as const) {
    server.kill(signal);
    if (await Promise.race([server.exited.then(() => true), Bun.sleep(limit)])) return;
  }
  throw new Error(`PostgreSQL (process ${server.pid}) does not end.`);
}
