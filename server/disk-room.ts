// Disk space for the embedded database. PostgreSQL stops where its write-ahead log has no space, so a reserve file is
// released when the disk runs full, and writes are refused until space is free again. It does not know the database.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

interface DiskRoom {
  /** Whether there is space for writes. */
  readonly has: () => boolean;
  stop(): Promise<void>;
}

interface RoomOptions {
  readonly dataDir: string;
  readonly onError: (error: unknown) => void;
  /** The free bytes of the disk. */
  readonly free?: (dataDir: string) => Promise<number>;
}

const mebibyte = 1 << 20;
/** With less free space, no more is written. */
export const lowBytes = 32 * mebibyte;
/** The size of the reserve file: enough for hours of PostgreSQL's own logging. */
export const reserveBytes = 32 * mebibyte;
/** An answer older than this is followed by a look: writes are one after another in that time. */
const validMs = 100;

/** Watches the disk from now on, whenever it is asked: a quiet disk is left alone. The directory must exist. */
export function watchRoom({ dataDir, onError, free = freeBytes }: RoomOptions): DiskRoom {
  const reserve = join(dataDir, "disk-reserve");
  let low = false;
  let lookedAt = -Infinity;
  let looking: Promise<void> | null = null;

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

  function lookAgain(): void {
    if (performance.now() - lookedAt < validMs) return;
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = null;
        lookedAt = performance.now();
      });
  }

  lookAgain();
  return {
    has() {
      lookAgain();
      return !low;
    },
    stop: async () => looking ?? undefined,
  };
}

async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/** Writes random bytes, which no file system can compress. */
async function makeReserve(path: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    const noise = randomBytes(mebibyte);
    for (let size = 0; size < reserveBytes; size += mebibyte) await file.write(noise);
  } finally {
    await file.close();
  }
}
