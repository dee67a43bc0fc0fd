// Tells a person, once a day, that the instance is newer than this client. It sends no request: the instance says its version
// with every answer.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Context } from "./command/context.ts";
import { stateDirectory } from "./files/user-directories.ts";
import { oneLine } from "./terminal/style.ts";
import { version } from "./version.ts";

/** Milliseconds. */
const interval = 24 * 3_600_000;

export async function noticeUpdate({ io, settings, progress, serverVersion }: Context): Promise<void> {
  const served = serverVersion();
  if (served === null || !io.stderr.isTerminal || settings.quiet || settings.noInput || !isOlder(version, served))
    return;
  const file = join(stateDirectory(io.env), "update-notice");
  if (!isDue(file)) return;
  progress(
    `plinth ${oneLine(served)} is out: ${settings.baseUrl} runs it, and this is ${version}. Update it with plinth upgrade`,
  );
}

/** Whether the last notice was long ago; the next one is then. Without a writable place there is one each time. */
function isDue(file: string): boolean {
  const last = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - last < interval) return false;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, "");
  } catch {
    // The notice is worth more than its date.
  }
  return true;
}

/** By major, minor and patch; what is no version is not newer. */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number));
  if (a === undefined || b === undefined) return false;
  const differing = a.findIndex((part, place) => part !== b[place]);
  return differing >= 0 && (a[differing] ?? 0) < (b[differing] ?? 0);
}
