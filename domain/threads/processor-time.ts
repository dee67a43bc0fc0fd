// How much processor time another process has used. Time limits count it instead of wall time, so that no source is
// judged by how busy the machine is.
import { readFile } from "node:fs/promises";

/** Linux counts in ticks of 10 ms (USER_HZ); its timer does not change that. */
const tickMs = 10;

/** In ms, of all its threads; null where the process has ended. */
export async function processorTimeOf(pid: number): Promise<number | null> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  // The second field is the program's name in brackets, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

async function fromPs(pid: number): Promise<number | null> {
  const ps = Bun.spawn(["ps", "-o", "time=", "-p", String(pid)], { stdio: ["ignore", "pipe", "ignore"] });
  return millisecondsOf((await new Response(ps.stdout).text()).trim());
}

/** Reads what `ps` writes: `[[days-]hours:]minutes:seconds[.hundredths]`. Null where that is nothing. */
export function millisecondsOf(time: string): number | null {
  if (time === "") return null;
  const [days, clock] = time.includes("-") ? time.split("-") : ["0", time];
  const seconds = (clock ?? "").split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}
