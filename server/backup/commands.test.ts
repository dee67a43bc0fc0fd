// Runs `bun run backup` and `bun run restore` as commands: their output, their refusals, and their memory.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { testDatabase } from "@plinth/db/test/database";

setDefaultTimeout(180_000);

const scratch = mkdtempSync(join(tmpdir(), "plinth-test-"));
afterAll(() => rmSync(scratch, { recursive: true }));

async function run(command: "backup" | "restore", path: string, env: Record<string, string>) {
  const { DATABASE_URL: _, ...usual } = process.env;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `../${command}.ts`), path], {
    env: { ...usual, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, status, memory] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
    peakOf(child),
  ]);
  return { out, err, status, memory };
}

/**
 * The most memory that the child has held, in bytes, as far as the system reports it. The figure from `wait` starts at
 * this process's own.
 */
async function peakOf(child: Bun.Subprocess): Promise<number> {
  if (process.platform !== "linux") {
    await child.exited;
    return child.resourceUsage()?.maxRSS ?? Infinity;
  }
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await Bun.file(`/proc/${child.pid}/status`)
      .text()
      .catch(() => ""); // The child has ended.
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024);
    await Bun.sleep(20);
  }
  return peak;
}

test("50,000 rows and 200 MB are taken and put back in little more memory than next to nothing is", async () => {
  const small = await testDatabase();
  const large = await testDatabase();
  const fill = `INSERT INTO content (sha256, data, size_bytes)
    SELECT sha256(int4send(n)), decode(repeat(md5(n::text), 256), 'hex'), 4096 FROM generate_series($1::int, $2::int) n`;
  await small.run(fill, [1, 10]);
  // In parts, each well below the time that a statement may take.
  for (let from = 1; from < 50_000; from += 5_000) await large.run(fill, [from, from + 4_999]);
  const path = (name: string) => join(scratch, `${name}.backup`);
  const smallTaken = await run("backup", path("small"), { DATABASE_URL: small.url, DATA_DIR: scratch });
  const largeTaken = await run("backup", path("large"), { DATABASE_URL: large.url, DATA_DIR: scratch });
  expect([smallTaken.status, largeTaken.status, largeTaken.err]).toEqual([0, 0, ""]);
  expect(largeTaken.out).toContain("50,000 rows of ");

  await small.run("TRUNCATE content CASCADE");
  await large.run("TRUNCATE content CASCADE");
  const smallPut = await run("restore", path("small"), { DATABASE_URL: small.url, DATA_DIR: scratch });
  const largePut = await run("restore", path("large"), { DATABASE_URL: large.url, DATA_DIR: scratch });
  // The doctor reports violations: the bytes belong to no version.
  expect([smallPut.status, largePut.status]).toEqual([1, 1]);
  expect(largePut.out).toContain("every content matches its hash");
  expect(await large.run("SELECT count(*)::int AS rows, sum(length(data))::int AS bytes FROM content")).toEqual([
    { rows: 50_000, bytes: 50_000 * 4096 },
  ]);
  // Holding the data would take 200 MB; the runtime collects released memory when it chooses.
  const growth = 144 * 1024 * 1024;
  expect(Math.min(smallTaken.memory, smallPut.memory)).toBeGreaterThan(0);
  expect(largeTaken.memory).toBeLessThan(smallTaken.memory + growth);
  expect(largePut.memory).toBeLessThan(smallPut.memory + growth);
  await small.drop();
  await large.drop();
});

test("what is no backup leaves an empty place as it was", async () => {
  const path = join(scratch, "none.backup");
  writeFileSync(path, "no backup");
  const dataDir = join(scratch, "untouched");
  const { err, status } = await run("restore", path, { DATA_DIR: dataDir });
  expect([status, err]).toEqual([1, `restore: ${path} can't be restored: it is cut off, or no backup.\n`]);
  expect(existsSync(dataDir)).toBe(false);
  const missing = await run("restore", join(scratch, "missing"), { DATA_DIR: dataDir });
  expect([missing.status, missing.err.split("\n").length]).toEqual([1, 2]);
});

test("a restore into a directory with secrets, or a database with rows, is refused in one line", async () => {
  const dataDir = join(scratch, "first");
  const restored = join(scratch, "second");
  const path = join(scratch, "embedded.backup");
  expect((await run("backup", path, { DATA_DIR: dataDir })).err).toBe(`backup: There is no database in ${dataDir}\n`);
  const db = await testDatabase();
  await db.run(`INSERT INTO "user" (user_id, email, email_verified) VALUES (gen_random_uuid(), 'a@example.org', true)`);
  expect((await run("backup", path, { DATABASE_URL: db.url, DATA_DIR: dataDir })).status).toBe(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const onto = await run("restore", path, { DATABASE_URL: db.url, DATA_DIR: dataDir });
  expect(onto.err).toBe("restore: The database has rows already (in user). Restore into an empty one.\n");

  const put = await run("restore", path, { DATA_DIR: restored });
  expect([put.status, put.out]).toEqual([0, expect.stringContaining(`are in ${restored}.`)]);
  const again = await run("restore", path, { DATA_DIR: restored });
  expect([again.status, again.err]).toEqual([1, expect.stringContaining("has rows already")]);

  writeFileSync(join(restored, "secret"), "s3cret", { mode: 0o600 });
  writeFileSync(join(restored, "operator-token"), "plo_token", { mode: 0o600 });
  const second = join(scratch, "second.backup");
  expect((await run("backup", second, { DATA_DIR: restored })).status).toBe(0);
  const occupied = join(scratch, "occupied");
  mkdirSync(occupied);
  writeFileSync(join(occupied, "secret"), "another");
  const refused = await run("restore", second, { DATA_DIR: occupied });
  expect(refused.err).toContain(`There is a secret in ${occupied} already`);
  expect(readdirSync(occupied)).toEqual(["secret"]);

  const moved = join(scratch, "moved");
  const other = await testDatabase();
  const elsewhere = await run("restore", second, { DATABASE_URL: other.url, DATA_DIR: moved });
  expect(elsewhere.out).toContain(`start with them as SECRET and OPERATOR_TOKEN`);
  expect(readFileSync(join(moved, "secret"), "utf8").trim()).toBe("s3cret");
  expect(elsewhere.status).toBe(0);
  await db.drop();
  await other.drop();
});
