import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { lowBytes, reserveBytes, watchRoom } from "./disk-room.ts";

test("a disk that runs full gets its reserve back and takes no more; with room again both return", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "plinth-room-"));
  const reserve = join(dataDir, "disk-reserve");
  let free = 10 * reserveBytes;
  const faults: unknown[] = [];
  const room = watchRoom({ dataDir, onError: (error) => faults.push(error), free: () => Promise.resolve(free) });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await Bun.sleep(10);
  };
  expect(room.has()).toBe(true);
  await until(() => existsSync(reserve) && statSync(reserve).size === reserveBytes);

  free = lowBytes - 1;
  await until(() => !room.has() && !existsSync(reserve));
  // The released reserve is free space now, which does not mean that the operator has freed any.
  free = lowBytes + reserveBytes;
  for (let look = 0; look < 6; look++) {
    await Bun.sleep(100);
    expect(room.has()).toBe(false);
  }

  free = 2 * lowBytes + reserveBytes;
  await until(() => room.has() && existsSync(reserve));
  await room.stop();
  expect(faults).toEqual([]);
  rmSync(dataDir, { recursive: true });
});
