// Takes a backup and restores it: the same rows, or none.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

import { connect, type Connection } from "@plinth/db/connection";
import { examine } from "@plinth/domain/doctor/examine";
import { keepFiles, keptFiles } from "@plinth/domain/packages/keep";
import { saveLock } from "@plinth/domain/packages/lock";
import { createSetup, type Setup } from "@plinth/domain/test/context";
import { migrate } from "@plinth/db/migrate";
import { testDatabase } from "@plinth/db/test/database";
import { holdTransaction } from "@plinth/db/test/locks";
import { Client } from "pg";

import { BrokenBackup, type Secrets } from "./format.ts";
import { nowhere, readBackup } from "./read.ts";
import { migrationOf, restoreInto } from "./restore.ts";
import { sealed } from "./seal.ts";
import { storeFile } from "./store-file.ts";
import { filledTables, tablesOf } from "./tables.ts";
import { backupOf } from "./write.ts";

const scratch = mkdtempSync(join(tmpdir(), "plinth-test-"));
const file = join(scratch, "first.backup");
/** Tables that are not in a backup. */
const passing = ["worker_process", "health_check", "content_store", "lease_holder"];
const secrets: Secrets = { secret: "the instance's own secret", "operator-token": "plo_x" };
let setup: Setup;

beforeAll(async () => {
  setup = await createSetup();
  const { token, userId } = await setup.person();
  const project = await setup.project(token);
  const { artifactId } = await setup.publish(token, project.slug, { content: "# Größe 😀\\N \\. \t\n" });
  await setup.call("version.create", { artifactId, content: "# Two" }, { as: token });
  await setup.call("shareLink.create", { artifactId, role: "viewer" }, { as: token });
  await setup.call("agent.create", { name: "agent", scopes: ["artifacts:read"] }, { as: token });
  await setup.session(userId);
  await lockToPackage(artifactId);
  const access = { publicView: false, publicEdit: false, viewerEmails: ["ada@example.org"] };
  await setup.call("access.update", { artifactId, ...access }, { as: token });
  await setup.db.run("INSERT INTO worker_process (worker_id) VALUES (gen_random_uuid())");
  await setup.db.run("INSERT INTO health_check DEFAULT VALUES");
  await setup.db.run("INSERT INTO content_store DEFAULT VALUES");
  await setup.db.run("INSERT INTO lease_holder (holder, protocol, waits_ms) VALUES (gen_random_uuid(), 1, 1)");
  await take(file);
});
afterAll(async () => {
  await setup.close();
  rmSync(scratch, { recursive: true });
});

/** A kept package with binary bytes, and a lock that names it. */
async function lockToPackage(artifactId: string): Promise<void> {
  const resolved = { name: "@scope/chart", version: "4.4.1", integrity: "sha512-x", tarball: "" };
  const files = new Map([["fonts/f.woff2", new Uint8Array([0, 1, 92, 255])]]);
  const listing = { paths: ["fonts/f.woff2"], entries: {} };
  const { sha256 } = await keepFiles(setup.db, resolved, new Uint8Array([1, 2, 3]), listing, files);
  const [kept] = await keptFiles(setup.db, sha256);
  const { tarball: _, ...named } = resolved;
  const file = { ...named, package: sha256, path: kept?.[0] ?? "", sha256: kept?.[1] ?? "" };
  const entry = { url: "https://unpkg.com/@scope/chart", use: "asset", files: [file], missing: null } as const;
  await saveLock(setup.db, { artifactId, versionNumber: 2 }, { entries: [entry], isComplete: true });
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

const take = (path: string): Promise<number> =>
  withClient(setup.db.url, (client) => storeFile(path, backupOf({ client, program: "1.2.3", secrets })));

/** Runs work in an empty database and drops it afterwards. */
async function inEmpty<Result>(work: (url: string, connection: Connection) => Promise<Result>): Promise<Result> {
  const server = process.env["TEST_DATABASE_URL"] ?? "";
  const name = `test_${Bun.randomUUIDv7().replaceAll("-", "")}`;
  const administer = async (statement: string) => {
    const client = new SQL(server, { max: 1 });
    await client.unsafe(statement);
    await client.close();
  };
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const connection = connect({ url: url.href, max: 2 });
  try {
    return await work(url.href, connection);
  } finally {
    await connection.close();
    await administer(`DROP DATABASE ${name}`);
  }
}

/** Every row of every table in a backup, except those that a restore creates again. */
const rowsOf = (url: string) =>
  withClient(url, async (client) => {
    const all: Record<string, string[]> = {};
    for (const { name } of await tablesOf(client)) {
      if (name === "outbox") continue;
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  });

test("what is put back is what was taken, row for row, and the doctor finds nothing", async () => {
  const before = await rowsOf(setup.db.url);
  expect(Object.values(before).flat().length).toBeGreaterThan(20);
  await inEmpty(async (url, connection) => {
    const { header } = await readBackup(file, nowhere);
    const contents = await restoreInto(url, connection, file, header);
    expect(contents.secrets).toEqual(secrets);
    expect(await rowsOf(url)).toEqual(before);
    expect((await examine(connection)).filter(({ problems }) => problems > 0)).toEqual([]);
    const jobs = await connection.run<{ kind: string }>(
      "SELECT kind FROM outbox WHERE created_at > now() - interval '1 hour'",
    );
    expect(new Set(jobs.map(({ kind }) => kind))).toEqual(new Set(["head", "thumbnails"]));
    for (const name of passing) expect(await withClient(url, filledTables)).not.toContain(name);
  });
});

test("the file is its owner's alone, and there is no other beside it", () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(scratch)).toEqual(["first.backup"]);
});

test("every table is kept, after those it refers to, and none counts by itself", async () => {
  await withClient(setup.db.url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const kept = (await tablesOf(client)).map(({ name }) => name);
    expect(kept.toSorted()).toEqual(
      rows
        .map(({ name }) => name)
        .filter((name) => !passing.includes(name))
        .toSorted(),
    );
    // Where it stands is not in a backup: the jobs of a restore number the search documents again.
    const sequences = await client.query("SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'");
    expect(sequences.rows).toEqual([{ name: "search_document_turn_seq" }]);
  });
});

test("a file that is cut off or altered anywhere is refused before a database is touched", async () => {
  const whole = readFileSync(file);
  const altered = join(scratch, "altered");
  const refused = async (bytes: Uint8Array) => {
    writeFileSync(altered, bytes);
    return readBackup(altered, nowhere).then(
      () => "taken for whole",
      (error: unknown) => (error instanceof BrokenBackup ? "refused" : error),
    );
  };
  const places = Array.from({ length: 60 }, (_, n) => Math.floor((whole.length * (n + 0.5)) / 60));
  for (const place of [0, 1, 5, ...places, whole.length - 1]) {
    expect(await refused(whole.subarray(0, place))).toBe("refused");
    const flipped = Uint8Array.from(whole);
    flipped[place] = (flipped[place] ?? 0) ^ 0x10;
    expect([place, await refused(flipped)]).toEqual([place, "refused"]);
  }
  expect(await refused(Buffer.concat([whole, Buffer.from("more")]))).toBe("refused");
  expect(await refused(Buffer.from("not a backup"))).toBe("refused");
  rmSync(altered);
});

/** Copies the backup with one letter of its tar changed to another of the same length, and compresses it again. */
async function forged(from: string, to: string): Promise<string> {
  const whole = readFileSync(file);
  const tar = zstdDecompressSync(whole.subarray(0, -40));
  const at = tar.indexOf(from);
  expect([at >= 0, from.length]).toEqual([true, to.length]);
  tar.write(to, at);
  const path = join(scratch, `forged-${Bun.randomUUIDv7()}`);
  await storeFile(path, sealed(once(zstdCompressSync(tar))));
  return path;
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

test("rows changed with care are not what the manifest says, and nothing of them stays", async () => {
  const path = await forged("# Gr", "# Kr");
  const said = await readBackup(path, nowhere).catch((error: Error) => error.message);
  expect(said).toContain("is not what its manifest says");
  await inEmpty(async (url, connection) => {
    const { header } = await readBackup(file, nowhere);
    const failure = await restoreInto(url, connection, path, header).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BrokenBackup);
    expect(await withClient(url, filledTables)).toEqual([]);
  });
});

test("a restore waits for a process that begins to use the database, and then refuses", async () => {
  await inEmpty(async (url, connection) => {
    const { header } = await readBackup(file, nowhere);
    await migrate(connection);
    await holdTransaction(url, async (held) => {
      await held.run("INSERT INTO outbox (job_id, kind, payload) VALUES (gen_random_uuid(), 'head', '{}')");
      const restoring = restoreInto(url, connection, file, header).then(
        () => "restored",
        (error: Error) => error.message,
      );
      await held.untilWaitedFor(restoring);
      await held.commit();
      expect(await restoring).toContain("was used while the backup was being restored");
    });
    expect(await withClient(url, filledTables)).toEqual(["outbox"]);
  });
});

test("a backup of a newer program, or of other tables, is refused by name", async () => {
  const { header } = await readBackup(file, nowhere);
  const [migration] = header.migrations;
  const later = { hash: "0".repeat(64), createdAt: Date.now() + 1e9 };
  expect(() => migrationOf({ ...header, migrations: [...header.migrations, later] })).toThrow(
    "a newer version of Plinth (1.2.3) made it",
  );
  const other = { ...migration, hash: "0".repeat(64), createdAt: migration?.createdAt ?? 0 };
  expect(() => migrationOf({ ...header, migrations: [other] })).toThrow("other tables");
  const path = await forged('{"format":1', '{"format":2');
  expect(await readBackup(path, nowhere).catch((error: Error) => error.message)).toContain("a newer version");
});

test("what a backup says of itself can't act on the terminal that shows it", async () => {
  for (const [from, to] of [
    ['"program":"1.2.3"', '"program":"1.2\u007f3"'],
    ['"madeAt":"2', '"madeAt":"\u007f'],
  ] as const) {
    const said = await readBackup(await forged(from, to), nowhere).catch((error: Error) => error.message);
    expect(said).toBe("its header.json is not as it should be");
  }
});

test("a database with rows is left alone", async () => {
  const { header } = await readBackup(file, nowhere);
  const before = await rowsOf(setup.db.url);
  const failure = await restoreInto(setup.db.url, setup.db, file, header).catch((error: Error) => error.message);
  expect(failure).toContain("has rows already");
  expect(await rowsOf(setup.db.url)).toEqual(before);
});

test("where a backup can't be finished the one before it stays, and nothing else", async () => {
  const before = readFileSync(file);
  async function* full() {
    yield new Uint8Array(10);
    throw new Error("no space left on device");
  }
  expect(await storeFile(file, full()).catch((error: Error) => error.message)).toBe("no space left on device");
  const lost = withClient(setup.db.url, async (client) => {
    const taking = storeFile(file, backupOf({ client, program: "1", secrets, onTable: () => void client.end() }));
    return taking;
  });
  expect(await lost.catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(scratch).filter((name) => name.endsWith(".part"))).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

test("a backup that fails halfway leaves no file", async () => {
  const large = await testDatabase();
  await large.run(
    `INSERT INTO content (sha256, data, size_bytes)
     SELECT sha256(int4send(n)), string_agg(sha256(int8send(n * 1000 + m)), ''::bytea), 4096
     FROM generate_series(1, 4000) n, generate_series(1, 128) m GROUP BY n`,
  );
  const full = join(scratch, "full.backup");
  await withClient(large.url, async (client) => {
    async function* untilFull() {
      for await (const chunk of backupOf({ client, program: "1", secrets })) {
        yield chunk;
        throw new Error("no space left on device");
      }
    }
    expect(await storeFile(full, untilFull()).catch((error: Error) => error.message)).toBe("no space left on device");
  });
  expect(readdirSync(scratch).filter((name) => name.startsWith("full"))).toEqual([]);
  await large.drop();
});
