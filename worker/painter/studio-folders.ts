// The folders that studios work in, in the system's temporary one: each named by the process that made it, so that what
// was left behind where worker and studio were killed together is known, and removed by the next worker.
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SEARCH_PATH, type Cage } from "./cage.ts";
import { startOf } from "./processes.ts";

const PREFIX = "plinth-studio-";

/** Numbers of processes mean nothing where they are counted apart, as in a container that shares the folder. */
const countedIn = (): string => {
  if (process.platform !== "linux") return "0";
  return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
};

/** A fresh one of this process. */
export const makeStudioFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `${PREFIX}${countedIn()}-${process.pid}-${startOf(process.pid)}-`));

/**
 * Removes those that ended processes of ours have left; what is somebody else's, or counted elsewhere, stays.
 * @returns the paths of those that could not be removed
 */
export async function removeLeftFolders(cage: Pick<Cage, "command" | "user">): Promise<string[]> {
  const kept: string[] = [];
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (isLeft(name) && !(await removed(path, cage))) kept.push(path);
  }
  return kept;
}

const form = new RegExp(`^${PREFIX}(\\d+)-(\\d+)-(\\d+)-\\w{6}$`);

function isLeft(name: string): boolean {
  const [, counted, pid, start] = form.exec(name) ?? [];
  // A number is given again, but not to a process that started then.
  return counted === countedIn() && startOf(Number(pid)) !== start;
}

/** Anybody writes into the temporary folder, and a document may have written into what is the browser's. */
async function removed(path: string, { command, user }: Pick<Cage, "command" | "user">): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return true;
  if (found.uid === process.getuid?.())
    return rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
  if (user === null || found.uid !== user) return true;
  // By the browser's user, who can't be led to anything of ours.
  const removing = Bun.spawn([...command, "rm", "-rf", "--", path], {
    cwd: "/",
    env: { PATH: SEARCH_PATH },
    stdio: ["ignore", "ignore", "ignore"],
  });
  return (await removing.exited) === 0;
}
