// The folders of browser host processes, in the system's temporary folder. Each has the creating process in its name,
// so that the next worker recognizes and removes a folder whose worker and browser host process were killed together.
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SEARCH_PATH, type ProcessSandbox } from "./process-sandbox.ts";
import { startOf } from "./processes.ts";

const PREFIX = "plinth-browser-host-";

/** Process numbers have no meaning in another process namespace, for example in a container that shares the folder. */
const processNamespace = (): string => {
  if (process.platform !== "linux") return "0";
  return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
};

/** A new folder of this process. */
export const createTemporaryFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `${PREFIX}${processNamespace()}-${process.pid}-${startOf(process.pid)}-`));

/**
 * Removes the folders of this user's ended processes. Folders of another user or from another process namespace stay.
 * @returns the paths of those that could not be removed
 */
export async function removeAbandonedFolders(sandbox: Pick<ProcessSandbox, "command" | "user">): Promise<string[]> {
  const kept: string[] = [];
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (isAbandoned(name) && !(await hasRemoved(path, sandbox))) kept.push(path);
  }
  return kept;
}

const form = new RegExp(`^${PREFIX}(\\d+)-(\\d+)-(\\d+)-\\w{6}$`);

function isAbandoned(name: string): boolean {
  const [, namespace, pid, start] = form.exec(name) ?? [];
  // A number is reused, but not with the same start time.
  return namespace === processNamespace() && startOf(Number(pid)) !== start;
}

/** Any user may write to the temporary folder, and a document may have written to the browser's files. */
async function hasRemoved(path: string, { command, user }: Pick<ProcessSandbox, "command" | "user">): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return true;
  if (found.uid === process.getuid?.())
    return rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
  if (user === null || found.uid !== user) return true;
  // As the browser's user, who cannot be tricked into deleting Plinth's files.
  const removing = Bun.spawn([...command, "rm", "-rf", "--", path], {
    cwd: "/",
    env: { PATH: SEARCH_PATH },
    stdio: ["ignore", "ignore", "ignore"],
  });
  return (await removing.exited) === 0;
}
