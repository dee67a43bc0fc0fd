// Ends processes that tests started when the run ends, even when the run is killed. Only Linux can identify them; on
// other systems this does nothing.
import { readdirSync, readFileSync } from "node:fs";

const variable = "PLINTH_TEST_RUN";

/** The time for a process to end after SIGTERM. */
const graceMs = 10_000;

export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/**
 * Marks all processes that this process starts from now on, and has them ended when this process ends for any reason.
 */
export function markRun(): void {
  process.env[variable] = crypto.randomUUID();
  if (process.platform !== "linux") return;
  // Its standard input ends with this process.
  const script = `trap "" HUP INT TERM; read -r _
    each() { for p in /proc/[0-9]*; do grep -qsxz "$mark" "$p/environ" && kill -"$1" "\${p#/proc/}"; done; }
    mark="$0"; each TERM 2>/dev/null; sleep ${graceMs / 1000}; each KILL 2>/dev/null`;
  const { [variable]: mark, ...rest } = process.env;
  Bun.spawn(["/bin/sh", "-c", script, `${variable}=${mark}`], {
    detached: true,
    env: rest,
    stdio: ["pipe", "ignore", "ignore"],
  }).unref();
}

/** The processes of the marked run that still exist after so many ms, which are then told to end. */
export async function endLeftovers(waitMs = graceMs): Promise<Leftover[]> {
  for (const until = Date.now() + waitMs; marked().length > 0 && Date.now() < until;) await Bun.sleep(100);
  const left = marked();
  for (const { pid } of left) process.kill(pid, "SIGTERM");
  return left;
}

function marked(): Leftover[] {
  if (process.platform !== "linux") return [];
  const mark = `${variable}=${process.env[variable]}`;
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || !textOf(`/proc/${pid}/environ`).split("\0").includes(mark)) return [];
    const command = textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
    // A process that has ended but is not reaped has no command line.
    return command === "" ? [] : [{ pid, command }];
  });
}

/** Empty for a process that has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
