// Preloaded into a server: collects the garbage at SIGUSR2, and writes what is left to a file.
import { heapStats } from "bun:jsc";
import { renameSync, writeFileSync } from "node:fs";

export interface Collected {
  /** Bytes of objects, and of what they hold outside of the heap. */
  readonly heap: number;
  readonly outside: number;
  readonly objects: Readonly<Record<string, number>>;
}

const file = process.env["COLLECTED"];

// Child processes of the server have the same environment.
if (file !== undefined && process.argv[1]?.endsWith("server/main.ts") === true)
  process.on("SIGUSR2", () => {
    Bun.gc(true);
    const { heapSize, extraMemorySize, objectTypeCounts } = heapStats();
    const objects = Object.fromEntries(
      Object.entries(objectTypeCounts)
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, 20),
    );
    const left: Collected = { heap: heapSize, outside: extraMemorySize, objects };
    writeFileSync(`${file}.new`, JSON.stringify(left));
    renameSync(`${file}.new`, file);
  });
