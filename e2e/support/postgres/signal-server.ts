// A PostgreSQL server that answers nothing, as on a hung disk: every process of a real one is stopped by a signal.
import { readFileSync } from "node:fs";

/** To the postmaster first, so that it starts no further process, then to all of the server's. */
export function signalServer(pid: number, signal: "SIGSTOP" | "SIGCONT"): void {
  process.kill(pid, signal);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  for (const child of children.split(" ").filter(Boolean)) signalIfThere(Number(child), signal);
}

/** Sends a signal to a process that may have ended in the meantime. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
