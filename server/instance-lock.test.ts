import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockInstance } from "./instance-lock.ts";

const scratch = mkdtempSync(join(tmpdir(), "plinth-test-"));
afterAll(() => rmSync(scratch, { recursive: true }));

async function holdInChild(dataDir: string) {
  const module = JSON.stringify(join(import.meta.dir, "instance-lock.ts"));
  const script = `require(${module}).lockInstance(process.argv[1]); console.log("held"); setInterval(() => {}, 1e6)`;
  const child = Bun.spawn([process.execPath, "-e", script, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await child.stdout.getReader().read();
  return child;
}

test("a second instance is refused in one line that names the directory and the process", async () => {
  const dataDir = join(scratch, "busy");
  const holder = await holdInChild(dataDir);
  expect(() => lockInstance(dataDir)).toThrow(
    `Plinth is already running on the data directory ${dataDir} (process ${holder.pid}).`,
  );
  holder.kill();
  await holder.exited;
});

test("nothing is left of it after kill -9", async () => {
  const dataDir = join(scratch, "killed");
  const holder = await holdInChild(dataDir);
  holder.kill("SIGKILL");
  await holder.exited;
  lockInstance(dataDir).release();
});

test("it is refused to the process that has it, and free once released", () => {
  const dataDir = join(scratch, "own");
  const lock = lockInstance(dataDir);
  Bun.gc(true);
  expect(() => lockInstance(dataDir)).toThrow("already running");
  lock.release();
  expect(existsSync(join(dataDir, "instance.pid"))).toBe(false);
  lockInstance(dataDir).release();
});
