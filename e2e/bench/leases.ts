// Measures the wait of a write for processes that answer from memory (docs/architecture/leases.md): the real protocol
// in three processes on a real PostgreSQL, with two healthy holders, and with one that has stopped.
import { join } from "node:path";

import { scaledOut } from "../harness/database.ts";
import { startInstance } from "../harness/instance.ts";
import { startPostgres } from "../harness/postgres.ts";
import { repository, withinHung } from "../harness/process.ts";

export interface LeaseFigure {
  readonly name: string;
  /** Milliseconds of one write. */
  readonly median: number;
  readonly p99: number;
  readonly most: number;
}

const writes = 1000;
/** While a holder does not answer: the first waits until its lease has ended, and those after its removal for nothing. */
const writesBesideStopped = 20;
const warmUp = 50;

export async function measureLeases(place: string): Promise<LeaseFigure[]> {
  const postgres = await startPostgres(join(place, "postgres"));
  // Migrates the database.
  const instance = await startInstance({ dataDir: join(place, "instance"), env: scaledOut(postgres.url) });
  await instance.stop();
  const start = (role: string) => startProcess(postgres.url, role);
  const [writer, ...holders] = await Promise.all([start("write"), start("hold"), start("hold")]);
  try {
    await writer.waits(warmUp);
    const figures = [figureOf("a write's wait for two holders", await writer.waits(writes))];
    const [stopped] = holders;
    if (stopped !== undefined) process.kill(stopped.pid, "SIGSTOP");
    figures.push(figureOf("a write's wait, one of two holders stopped", await writer.waits(writesBesideStopped)));
    return figures;
  } finally {
    await Promise.all([writer, ...holders].map((one) => one.end()));
    await postgres.end("SIGINT");
  }
}

function figureOf(name: string, waits: readonly number[]): LeaseFigure {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { name, median: at(0.5), p99: at(0.99), most: at(1) };
}

async function startProcess(databaseUrl: string, role: string) {
  const child = Bun.spawn([process.execPath, "domain/leases/test/lease-process.ts", databaseUrl, role], {
    cwd: repository,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  const line = async () => (await withinHung(lines.next(), () => `the process (${role}) does not answer`)).value ?? "";
  if ((await line()) !== "ready") throw new Error(`the process (${role}) did not start`);
  return {
    pid: child.pid,
    async waits(count: number): Promise<number[]> {
      void child.stdin.write(`${JSON.stringify({ writes: count })}\n`);
      await child.stdin.flush();
      return JSON.parse(await line()) as number[];
    },
    async end() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let unread = "";
  for await (const chunk of stream) {
    unread += decoder.decode(chunk, { stream: true });
    for (let end = unread.indexOf("\n"); end >= 0; end = unread.indexOf("\n")) {
      yield unread.slice(0, end);
      unread = unread.slice(end + 1);
    }
  }
}
