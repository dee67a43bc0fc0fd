// Measures the wait of a write for processes that answer from memory (docs/architecture/leases.md): the real protocol
// in three processes on a real PostgreSQL, with two healthy holders, and with one that has stopped.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

import { scaledOut } from "../harness/database.ts";
import { startInstance } from "../harness/instance.ts";
import { startPostgres } from "../harness/postgres.ts";
import { repository, withinHung } from "../harness/process.ts";
import { percentile, type Run } from "./measure.ts";
import { whole, type Row } from "./report.ts";

/** Milliseconds that a write waits for holders that are well, and for one that has stopped: its lease, and the timer's delay. */
const waitMs = 5;
const leaseMs = 2000;

const writes = 1000;
/** While a holder does not answer: the first waits until its lease has ended, and those after its removal for nothing. */
const writesBesideStopped = 20;
const warmUp = 50;

export async function measureLeases({ report, place: directoryOf }: Run): Promise<void> {
  const place = directoryOf("leases");
  const postgres = await startPostgres(join(place, "postgres"));
  // Migrates the database.
  const instance = await startInstance({ dataDir: join(place, "instance"), env: scaledOut(postgres.url) });
  await instance.stop();
  const start = (role: string) => startProcess(postgres.url, role);
  const [writer, ...holders] = await Promise.all([start("write"), start("hold"), start("hold")]);
  try {
    await writer.waits(warmUp);
    const well = await writer.waits(writes);
    report.add({
      ...rowOf("a write's wait for two holders", well),
      target: `p99 < ${waitMs} ms`,
      met: percentile(well, 0.99) < waitMs,
    });
    const [stopped] = holders;
    if (stopped !== undefined) process.kill(stopped.pid, "SIGSTOP");
    const beside = await writer.waits(writesBesideStopped);
    report.add({
      ...rowOf("a write's wait, one of two holders stopped", beside),
      target: `≤ ${leaseMs} ms`,
      met: Math.max(...beside) <= leaseMs,
    });
  } finally {
    await Promise.all([writer, ...holders].map((one) => one.end()));
    await postgres.end("SIGINT");
  }
}

const rowOf = (figure: string, waits: readonly number[]): Row => {
  const [half, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)];
  const most = `at most ${whole(Math.max(...waits))} ms`;
  return { figure, product: `${half.toFixed(1)} ms (p99 ${p99.toFixed(1)} ms, ${most})` };
};

async function startProcess(databaseUrl: string, role: string) {
  const child = Bun.spawn([process.execPath, "domain/leases/test/lease-process.ts", databaseUrl, role], {
    cwd: repository,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = createInterface(Readable.from(child.stdout))[Symbol.asyncIterator]();
  const line = async () =>
    (await withinHung(lines.next(), () => `the process (${role}) does not answer`)).value as string | undefined;
  if ((await line()) !== "ready") throw new Error(`the process (${role}) did not start`);
  return {
    pid: child.pid,
    async waits(count: number): Promise<number[]> {
      void child.stdin.write(`${JSON.stringify({ writes: count })}\n`);
      await child.stdin.flush();
      return JSON.parse((await line()) ?? "") as number[];
    },
    async end() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
