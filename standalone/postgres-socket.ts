// Owns where the database's Unix socket is: in its cluster, or in a private directory under the
// system's temporary one when that path is too long for a socket. Must not know the server.
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Launcher } from "./postgres-launcher.ts";

// The socket lives in a directory of its own, so its number is only part of its name.
export const port = 5432;

// The shortest limit among the systems (macOS: 104 bytes with the closing NUL; Linux: 108).
const longest = 103;

/**
 * Returns the directory for the socket, private to the user that the server runs as. No server of
 * this cluster is running.
 */
export function socketDirectory(cluster: string, launcher: Launcher): string {
  const directory = fits(cluster) ? cluster : temporaryDirectory(cluster, launcher);
  // Left by a killed server, it would count as taken once its process number is another's.
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

// Anyone may have made it before us.
function requirePrivate(directory: string, uid: number): void {
  const found = lstatSync(directory);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return;
  throw new Error(`${directory} is not private to user ${uid}: remove it, or shorten DATA_DIR.`);
}
