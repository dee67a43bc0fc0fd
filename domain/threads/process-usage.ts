// What another process has used of the machine, and what it shall get of it. Time limits count processor time instead of wall time, so that no source is
// judged by how busy the machine is.
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { getPriority, setPriority } from "node:os";

export interface Usage {
  /** Processor time in ms, of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Linux counts in ticks of 10 ms (USER_HZ); its timer does not change that. */
const tickMs = 10;

/** Null where the process has ended. */
export async function usageOf(pid: number): Promise<Usage | null> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<Usage | null> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => null);
  const [stat, status] = await Promise.all([read("stat"), read("status")]);
  if (stat === null || status === null) return null;
  // The second field is the program's name in brackets, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A process that has ended and is not reaped yet has no memory.
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs, residentBytes: Number(kilobytes) * 1024 };
}

/** Below this process by so much: where both want the processor, a tenth of what this one gets. */
const yieldingBy = 10;
const lowestPriority = 19;

/** Leaves the processor to other processes for good; nothing where the process has ended. */
export function yieldProcessor(pid: number): void {
  try {
    // Linux counts each thread of a process by itself.
    const threads = process.platform === "linux" ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, Math.min(lowestPriority, getPriority() + yieldingBy));
  } catch (error) {
    const { code, info } = error as NodeJS.ErrnoException & { info?: NodeJS.ErrnoException };
    if (!["ESRCH", "ENOENT"].includes(info?.code ?? code ?? "")) throw error;
  }
}

async function fromPs(pid: number): Promise<Usage | null> {
  const ps = Bun.spawn(["ps", "-o", "time=,rss=", "-p", String(pid)], { stdio: ["ignore", "pipe", "ignore"] });
  return parsePs(await new Response(ps.stdout).text());
}

/** Reads what `ps` writes: `[[days-]hours:]minutes:seconds[.hundredths]` and kilobytes. Null where that is nothing. */
export function parsePs(text: string): Usage | null {
  const [time = "", kilobytes] = text.trim().split(/\s+/);
  if (time === "") return null;
  const [days, clock] = time.includes("-") ? time.split("-") : ["0", time];
  const seconds = (clock ?? "").split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpuMs: Math.round((Number(days) * 86_400 + seconds) * 1000), residentBytes: Number(kilobytes) * 1024 };
}
