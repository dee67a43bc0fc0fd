// The memory that a process takes to answer public reads from memory: an instance as it is beside the same program without
// leases, after the same requests for the same artifacts, each read a few times in a row, because an answer is kept once its row is.
//
// The product has no switch for this. The other side loads `without-leases.ts` first, which leaves out rows of public artifacts,
// and with them the answers before the router. Everything else that a process keeps is on both sides: contents, pages and framed
// documents. Reading one artifact as often would need no preload, but would leave those empty and count them as leased memory.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { SQL } from "bun";

import { startInstance, type Instance } from "../harness/instance.ts";
import { withinHung } from "../harness/process.ts";
import { makeAccount } from "./account.ts";
import { databaseUrlOf } from "../harness/embedded-database.ts";
import { seedPublic } from "./leased-memory-seed.ts";
import type { ReadersJob } from "./leased-memory-readers.ts";
import { memoryOf } from "./memory.ts";
import { runProgram, type Run } from "./measure.ts";
import { megabytes, whole } from "./report.ts";
import type { Collected } from "./collect-garbage.ts";

/** What a process retains after garbage collection, in bytes. */
interface Retained extends Collected {
  /** The proportional set size. */
  readonly server: number;
}

const connections = 16;
/** Readers of an artifact, one after the other. */
const inARow = 3;
/** Milliseconds until freed memory is given back to the system. */
const settledMs = 10_000;

/** Bytes that answers from memory may take in all. */
const leasedBytes = 30 * 1024 ** 2;

/** Seeds as many artifacts on each side. Adds nothing where the system doesn't tell the memory of a process. */
export async function measureLeasedMemory({ report, place, artifacts: asManyOr }: Run): Promise<void> {
  const artifacts = asManyOr(100_000);
  const without = await retained(place("without-leases"), artifacts, ["collect-garbage.ts", "without-leases.ts"]);
  const withLeases = await retained(place("with-leases"), artifacts, ["collect-garbage.ts"]);
  if (without === null || withLeases === null) return;
  const more = withLeases.server - without.server;
  report.add({
    figure: `leased memory, ${whole(artifacts)} artifacts read (PSS)`,
    product: `${megabytes(withLeases.server)} (heap ${megabytes(withLeases.heap)})`,
    baseline: `${megabytes(without.server)} without leases (heap ${megabytes(without.heap)})`,
    ratio: `${megabytes(more)} more`,
    target: `≤ ${megabytes(leasedBytes)}`,
    met: more <= leasedBytes,
  });
}

/** What a new instance retains of the reads, with these programs preloaded. */
async function retained(dataDir: string, artifacts: number, preloads: readonly string[]): Promise<Retained | null> {
  const report = join(dataDir, "collected");
  const instance = await startInstance({
    dataDir,
    env: {
      BUN_OPTIONS: preloads.map((file) => `--preload ${join(import.meta.dir, file)}`).join(" "),
      COLLECTED: report,
    },
  });
  try {
    const account = await makeAccount(instance);
    const database = new SQL(databaseUrlOf(dataDir), { max: 1 });
    await seedPublic(database, artifacts, account);
    await database.close();
    await runProgram<object>("leased-memory-readers.ts", {
      url: instance.origin,
      artifacts,
      connections,
      inARow,
    } satisfies ReadersJob);
    await collected(instance, report);
    await Bun.sleep(settledMs);
    const heap = await collected(instance, report);
    const memory = memoryOf(instance.pid, dataDir);
    return memory === null ? null : { ...heap, server: memory.server };
  } finally {
    await instance.stop();
  }
}

/** Collects the garbage of the instance. */
async function collected({ pid }: Instance, report: string): Promise<Collected> {
  rmSync(report, { force: true });
  process.kill(pid, "SIGUSR2");
  const written = async () => {
    while (!existsSync(report)) await Bun.sleep(50);
    return JSON.parse(readFileSync(report, "utf8")) as Collected;
  };
  return withinHung(written(), () => "the instance did not collect its garbage");
}
