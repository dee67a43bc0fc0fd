// Room for the embedded database on its disk. PostgreSQL ends where its log finds none, so some is kept for it: a file
// that is given up when the disk runs full, and writes that are refused until there is room again. Knows no database.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

export interface DiskRoom {
  /** Whether more may be written. */
  readonly has: () => boolean;
  stop(): Promise<void>;
}

interface RoomOptions {
  readonly dataDir: string;
  readonly onError: (error: unknown) => void;
  /** Bytes of the disk that are free. */
  readonly free?: (dataDir: string) => Promise<number>;
}

const mebibyte = 1 << 20;
/** Below this nothing more is written. */
export const lowBytes = 32 * mebibyte;
/** Of the file kept in reserve: hours of what PostgreSQL logs of itself. */
export const reserveBytes = 32 * mebibyte;
const lookEveryMs = 100;

/** Looks at the disk from now on. Expects a directory that exists. */
export function watchRoom({ dataDir, onError, free = freeBytes }: RoomOptions): DiskRoom {
  const reserve = join(dataDir, "disk-reserve");
  let low = false;
  let stopped = false;

  async function look(): Promise<void> {
    const bytes = await free(dataDir);
    if (bytes < lowBytes) {
      low = true;
      await rm(reserve, { force: true });
    } else if (existsSync(reserve)) {
      low = false;
    } else if (bytes >= 2 * lowBytes + reserveBytes) {
      low = false;
      await makeReserve(reserve);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await look().catch(onError);
      await Bun.sleep(lookEveryMs);
    }
  }

  const running = run();
  return {
    has: () => !low,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/** Of bytes that no file system makes smaller. */
async function makeReserve(path: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    const noise = randomBytes(mebibyte);
    for (let size = 0; size < reserveBytes; size += mebibyte) await file.write(noise);
  } finally {
    await file.close();
  }
}
