// The location of the database's Unix socket: in the cluster, or in a private temporary directory when that path is too
// long for a socket. It must not know the server.
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Launcher } from "./postgres-launcher.ts";

// The socket has its own directory, so the port is only part of the file name.
export const port = 5432;

// The shortest limit of all systems (macOS: 104 bytes with the closing NUL; Linux: 108).
const longest = 103;

/** Returns the directory for the socket, private to the server's user. No server of this cluster is running. */
export function socketDirectory(cluster: string, launcher: Launcher): string {
  const directory = fits(cluster) ? cluster : temporaryDirectory(cluster, launcher);
  // A lock left by a killed server would count as taken once another process has its number.
  rmSync(join(directory, `.s.PGSQL.${port}.lock`), { force: true });
  return directory;
}

function temporaryDirectory(cluster: string, launcher: Launcher): string {
  const hash = new Bun.CryptoHasher("sha256").update(cluster).digest("hex").slice(0, 16);
  const directory = join(tmpdir(), `plinth-${hash}`);
  if (!fits(directory)) throw new Error(`${tmpdir()} is too long for a socket: set TMPDIR.`);
  try {
    mkdirSync(directory, { mode: 0o700 });
    launcher.own(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    requirePrivate(directory, lstatSync(cluster).uid);
  }
  return directory;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${port}`)) <= longest;
}

// Another user may have created the directory first.
function requirePrivate(directory: string, uid: number): void {
  const found = lstatSync(directory);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return;
  throw new Error(`${directory} is not private to user ${uid}: remove it, or shorten DATA_DIR.`);
}
