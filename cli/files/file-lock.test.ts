// The lock beside a file: turns, and what a crash leaves.
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { withFileLock } from "./file-lock.ts";
import { emptyDirectory } from "../testing/line.ts";

const lockPath = () => join(emptyDirectory(), "lock");

test("one at a time", async () => {
  const path = lockPath();
  let inside = 0;
  const most = await Promise.all(
    Array.from({ length: 20 }, () =>
      withFileLock(path, async () => {
        const here = ++inside;
        await Bun.sleep(1);
        inside--;
        return here;
      }),
    ),
  );
  expect(most).toEqual(Array.from({ length: 20 }, () => 1));
  expect(existsSync(path)).toBe(false);
});

test("work that fails gives the lock back", async () => {
  const path = lockPath();
  await expect(withFileLock(path, () => Promise.reject(new Error("no room")))).rejects.toThrow("no room");
  expect(await withFileLock(path, () => Promise.resolve("next"))).toBe("next");
});

test("a lock that a crash left is taken over", async () => {
  const path = lockPath();
  writeFileSync(path, "a process that is no more");
  expect(await withFileLock(path, () => Promise.resolve("done"))).toBe("done");
  expect(existsSync(path)).toBe(false);
});

test("a process that lost its lock learns it before it writes, and keeps the other's lock", async () => {
  const path = lockPath();
  const late = withFileLock(path, async (lock) => {
    writeFileSync(path, "another process");
    await lock.assertHeld();
  });
  await expect(late).rejects.toMatchObject({ code: "ELOCKED" });
  expect(existsSync(path)).toBe(true);
});
