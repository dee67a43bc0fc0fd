// Reads another process's use of the machine, and lowers its priority. Time limits count processor time instead of wall
// time, so that no source is judged by how busy the machine is.
import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

export interface Usage {
  /** Processor time in ms, of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Linux counts in ticks of 10 ms (USER_HZ); its timer does not change that. */
const tickMs = 10;

/** Of memory in `stat`: 4 KiB but on some machines of ARM. */
let pageBytes: number | undefined;

/** Null where the process has ended. */
export async function usageOf(pid: number): Promise<Usage | null> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** Not asynchronous: the kernel answers in microseconds, a pool of threads would take longer to hand that over. */
function fromProc(pid: number): Usage | null {
  const stat = readProc(pid, "stat");
  if (stat === null) return null;
  // The second field is the program's name in brackets, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  pageBytes ??= ownPageBytes();
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
    residentBytes: Number(fields[21]) * pageBytes,
  };
}

function ownPageBytes(): number {
  const [, kilobytes = 4] = /^KernelPageSize:\s+(\d+) kB$/m.exec(readProc("self", "smaps") ?? "") ?? [];
  return Number(kilobytes) * 1024;
}

function readProc(pid: number | "self", file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
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
