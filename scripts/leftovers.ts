// The processes of a test run: what a test starts ends with the run, also where the run is killed. Linux tells which they are;
// elsewhere nothing is looked for.
import { readdirSync, readFileSync } from "node:fs";

const variable = "PLINTH_TEST_RUN";

/** What a process that has just been told to end is given to do so. */
const graceMs = 10_000;

export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/** Marks what this process starts from now on, and has it ended when this process is gone, however it went. */
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

/** What the marked run has left after so many ms to end; it is told to end. */
export async function endLeftovers(patienceMs = graceMs): Promise<Leftover[]> {
  for (const until = Date.now() + patienceMs; marked().length > 0 && Date.now() < until;) await Bun.sleep(100);
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
    // What has ended and is not reaped yet has no command.
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
