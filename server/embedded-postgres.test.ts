import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createCluster, type EmbeddedPostgres, requireVersion, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { chooseLauncher } from "./postgres-launcher.ts";

setDefaultTimeout(60_000);

// These tests are about killed processes, not about power cuts, so writes need not be synced.
const unsynced = { fsync: "off" };
const isRoot = process.getuid?.() === 0;
const scratch = mkdtempSync(join(tmpdir(), "plinth-test-"));
const made = join(scratch, "made");
let number = 0;
let dataDir = "";
const running: EmbeddedPostgres[] = [];

beforeAll(async () => {
  if (isRoot) chmodSync(scratch, 0o711);
  await (await startEmbeddedPostgres({ dataDir: made, settings: unsynced })).stop();
});
beforeEach(() => {
  dataDir = join(scratch, `${(number += 1)}`);
  Bun.spawnSync(["cp", "-a", made, dataDir]);
});
afterAll(async () => {
  for (const server of running) await server.stop();
  rmSync(scratch, { recursive: true });
});

async function start(directory = dataDir, settings: Record<string, string> = unsynced): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: directory, settings });
  running.push(server);
  return server;
}

async function ask<Row>(url: string, statement: string): Promise<Row[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    return [...((await sql.unsafe(statement)) as Row[])];
  } finally {
    await sql.close();
  }
}

async function startChild(directory: string, command = [process.execPath], options = {}) {
  const child = Bun.spawn([...command, join(import.meta.dir, "embedded-postgres.child.ts"), directory], {
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await child.stdout.getReader().read();
  const ready = JSON.parse(new TextDecoder().decode(value)) as {
    url: string;
    pid: number;
    uid: number;
  };
  return { child, ...ready };
}

function isAlive(pid: number): boolean {
  try {
    // A zombie has no command line.
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

describe("a server", () => {
  test("is durable, small, in UTC, and speaks UTF-8", async () => {
    const { url } = await start(dataDir, {});
    const rows = await ask<{ name: string; setting: string }>(
      url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit',
        'full_page_writes', 'autovacuum', 'jit', 'max_connections', 'TimeZone', 'listen_addresses',
        'server_encoding', 'data_checksums')`,
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      TimeZone: "UTC",
      autovacuum: "on",
      data_checksums: "on",
      fsync: "on",
      full_page_writes: "on",
      jit: "off",
      listen_addresses: "",
      max_connections: "100",
      server_encoding: "UTF8",
      synchronous_commit: "on",
    });
    expect(await ask<object>(url, "SELECT lower('ÀÉ') AS lower")).toMatchObject([{ lower: "àé" }]);
  });

  test("gives one address that npm's pg and Bun.SQL both take", async () => {
    const { url } = await start();
    const path = Bun.resolveSync("pg", join(import.meta.dir, "../domain"));
    const { Client } = (await import(path)) as {
      Client: new (options: { connectionString: string }) => {
        connect(): Promise<void>;
        query(text: string): Promise<{ rows: unknown[] }>;
        end(): Promise<void>;
      };
    };
    const client = new Client({ connectionString: url });
    await client.connect();
    expect((await client.query("SELECT current_user AS name")).rows).toEqual([{ name: "plinth" }]);
    await client.end();
  });

  test("lets in Plinth's account alone, by its password, with no more rights than it needs", async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = "wrong";
    await expect(ask(wrong.href, "SELECT 1")).rejects.toThrow("password authentication failed");
    const superuser = new URL(url);
    superuser.username = "postgres";
    await expect(ask(superuser.href, "SELECT 1")).rejects.toThrow("pg_hba.conf");
    await expect(ask(url, "COPY (SELECT 1) TO PROGRAM 'cat'")).rejects.toThrow("permission denied");
    await ask(url, "CREATE DATABASE another");
    expect(statSync(join(dataDir, "postgres-password")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
  });

  test("stops with a transaction open, keeps what was committed, and starts again", async () => {
    const first = await start();
    await ask(first.url, "CREATE TABLE kept AS SELECT 7 AS n");
    const open = new SQL(first.url, { max: 1 });
    const reserved = await open.reserve();
    await reserved`BEGIN`;
    await reserved`INSERT INTO kept VALUES (8)`;
    // Stopping does not wait for the open transaction.
    await Promise.all([first.stop(), first.stop()]);
    expect(isAlive(first.pid)).toBe(false);
    await open.close({ timeout: 0 });
    const second = await start();
    expect(await ask<object>(second.url, "SELECT n FROM kept")).toMatchObject([{ n: 7 }]);
  });

  test("has a socket in the temporary directory when its own path is too long for one", async () => {
    const long = join(dataDir, "d".repeat(90));
    Bun.spawnSync(["cp", "-a", made, long]);
    const { url } = await start(long);
    const socket = new URL(url).searchParams.get("host") ?? "";
    expect(dirname(socket)).toBe(tmpdir());
    expect(statSync(socket).mode & 0o777).toBe(0o700);
    expect(await ask<object>(url, "SELECT 1 AS n")).toMatchObject([{ n: 1 }]);
    await running.at(-1)?.stop();
    expect(existsSync(socket)).toBe(false);
  });
});

describe("after a crash", () => {
  test("of Plinth (kill -9), the server left behind is ended and all committed is there", async () => {
    const killed = await startChild(dataDir);
    await ask(killed.url, "CREATE TABLE kept AS SELECT 7 AS n");
    killed.child.kill("SIGKILL");
    await killed.child.exited;
    expect(isAlive(killed.pid)).toBe(true);
    const { url, pid } = await start();
    expect(pid).not.toBe(killed.pid);
    expect(isAlive(killed.pid)).toBe(false);
    expect(await ask<object>(url, "SELECT n FROM kept")).toMatchObject([{ n: 7 }]);
  });

  test("of the server (kill -9), it starts again though its clients were at work", async () => {
    const first = await start();
    const sql = new SQL(first.url, { max: 4 });
    await sql`CREATE TABLE kept AS SELECT 7 AS n`;
    const busy = Array.from({ length: 4 }, () => sql`SELECT pg_sleep(60)`.catch(() => undefined));
    await Bun.sleep(200);
    process.kill(first.pid, "SIGKILL");
    await first.exited;
    const { url } = await start();
    await Promise.all(busy);
    await sql.close({ timeout: 0 });
    expect(await ask<object>(url, "SELECT n FROM kept")).toMatchObject([{ n: 7 }]);
  });

  test("and a restart of the machine, a stranger with the old process number is left alone", async () => {
    const stranger = Bun.spawn(["sleep", "60"]);
    const pidFile = join(dataDir, "postgres/postmaster.pid");
    writeFileSync(pidFile, `${stranger.pid}\n${join(dataDir, "postgres")}\n1\n5432\n\n\n\nready\n`);
    writeFileSync(join(dataDir, "postgres/.s.PGSQL.5432.lock"), readFileSync(pidFile));
    await start();
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
  });

  test.each(["", "\0\0\0\0", "torn"])("and a power cut, postmaster.pid with %j in it is removed", async (text) => {
    writeFileSync(join(dataDir, "postgres/postmaster.pid"), text);
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, settings: unsynced, log: (line) => lines.push(line) });
    running.push(server);
    expect(lines.filter((line) => line.includes("postmaster.pid"))).toHaveLength(1);
  });

  test("and a power cut, postmaster.pid is kept while a server uses the directory", async () => {
    const first = await start();
    const pidFile = join(dataDir, "postgres/postmaster.pid");
    const whole = readFileSync(pidFile);
    writeFileSync(pidFile, "");
    await expect(start()).rejects.toThrow(`PostgreSQL process ${first.pid} is using`);
    expect(readFileSync(pidFile, "utf8")).toBe("");
    expect(isAlive(first.pid)).toBe(true);
    writeFileSync(pidFile, whole);
  });

  test("and a move of the data directory, a server that still uses it is not doubled", async () => {
    const killed = await startChild(dataDir);
    killed.child.kill("SIGKILL");
    await killed.child.exited;
    const moved = `${dataDir}-moved`;
    renameSync(dataDir, moved);
    await expect(start(moved)).rejects.toThrow(`PostgreSQL process ${killed.pid} may still be using`);
    renameSync(moved, dataDir);
    await start();
    expect(isAlive(killed.pid)).toBe(false);
  });

  test("while a copy of its directory is used, the copied server is left alone", async () => {
    const original = await start();
    const copy = `${dataDir}-copy`;
    Bun.spawnSync(["cp", "-a", dataDir, copy]);
    await start(copy);
    expect(isAlive(original.pid)).toBe(true);
  });

  test("while it was being created, an incomplete database directory is replaced", async () => {
    const half = join(scratch, "half");
    mkdirSync(join(half, "postgres.new/base"), { recursive: true });
    const { url } = await start(half);
    expect(await ask<object>(url, "SELECT 1 AS n")).toMatchObject([{ n: 1 }]);
    expect(existsSync(join(half, "postgres.new"))).toBe(false);
  });

  test("that lost the password, a new password is set", async () => {
    rmSync(join(dataDir, "postgres-password"));
    const { url } = await start();
    expect(await ask<object>(url, "SELECT 1 AS n")).toMatchObject([{ n: 1 }]);
  });
});

describe.each([
  ["exits without stopping it", "SIGUSR1", 3],
  ["ends by an error", "SIGUSR2", 1],
] as const)("a Plinth that %s", (_how, signal, status) => {
  test("takes the server along, and all committed is there", async () => {
    const ended = await startChild(dataDir);
    await ask(ended.url, "CREATE TABLE kept AS SELECT 7 AS n");
    const sql = new SQL(ended.url, { max: 4 });
    const busy = Array.from({ length: 4 }, () => sql`SELECT pg_sleep(600)`.catch((error: unknown) => error));
    await untilBusy(ended.url, busy.length);
    ended.child.kill(signal);
    expect(await ended.child.exited).toBe(status);
    // It is told to before the process ends, and closes the connections when it does.
    for (const one of await Promise.all(busy)) expect(one).toBeInstanceOf(Error);
    await sql.close({ timeout: 0 });
    for (const until = Date.now() + 60_000; isAlive(ended.pid) && Date.now() < until;) await Bun.sleep(20);
    expect(isAlive(ended.pid)).toBe(false);
    const { url } = await start();
    expect(await ask<object>(url, "SELECT n FROM kept")).toMatchObject([{ n: 7 }]);
  });
});

/** Until so many connections wait in a statement. */
async function untilBusy(url: string, count: number): Promise<void> {
  const statement = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'";
  for (;;) {
    const [row] = await ask<{ n: number }>(url, statement);
    if (row?.n === count) return;
    await Bun.sleep(20);
  }
}

test("a directory of another major version is refused", async () => {
  writeFileSync(join(dataDir, "postgres/PG_VERSION"), "17\n");
  await expect(start()).rejects.toThrow("was made by PostgreSQL 17, and this Plinth brings PostgreSQL 18");
});

test("runs as an ordinary user: root's server does, and so does an ordinary user's", async () => {
  const server = await start();
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  const uid = Number(/^Uid:\t(\d+)/m.exec(status)?.[1]);
  expect(uid).toBeGreaterThan(0);
  await server.stop();
  if (!isRoot) return;
  // Starts all of Plinth as that user, who may need a capability to reach this checkout and Bun.
  const { command, options } = chooseLauncher(join(dataDir, "postgres"), import.meta.dir, process.execPath);
  const home = join(scratch, "ordinary");
  mkdirSync(home);
  chownSync(home, uid, options.gid ?? uid);
  const ordinary = await startChild(join(home, "data"), [...command, process.execPath], options);
  expect(ordinary.uid).toBe(uid);
  ordinary.child.kill("SIGTERM");
  expect(await ordinary.child.exited).toBe(0);
  expect(isAlive(ordinary.pid)).toBe(false);
});

test("runs below a directory that only its owner, even root, may enter", async () => {
  const closed = join(scratch, "closed");
  mkdirSync(closed, { mode: 0o700 });
  const { url, pid } = await start(join(closed, "data"));
  expect(await ask<object>(url, "SELECT 1 AS n")).toMatchObject([{ n: 1 }]);
  // Has at most the one capability for traversal.
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const capabilities = BigInt(`0x${/^CapEff:\t(\w+)/m.exec(status)?.[1]}`);
  expect(isRoot ? [2n, 4n] : [0n]).toContain(capabilities);
});

test("runs from programs below such a directory", () => {
  const closed = join(scratch, "programs");
  mkdirSync(closed, { mode: 0o700 });
  const { initdb, major } = postgresBinaries();
  Bun.spawnSync(["cp", "-a", dirname(dirname(initdb)), join(closed, "native")]);
  const bin = join(closed, "native/bin");
  const binaries = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), major };
  const cluster = join(closed, "postgres");
  createCluster(cluster, binaries, chooseLauncher(cluster, closed, binaries.postgres), false);
  requireVersion(cluster, major);
});

test("says so in one line when no ordinary user reaches the files", () => {
  if (!isRoot) return;
  const { postgres } = postgresBinaries();
  expect(() => chooseLauncher(join(dataDir, "none"), join(scratch, "none"), postgres)).toThrow(
    /^PostgreSQL cannot run as root, and user \d+ cannot reach/,
  );
});
