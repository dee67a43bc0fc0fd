// The small files of the data directory: the directory itself and the secrets stored in it. It must not know the use of
// a secret.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** Creates the data directory if it is missing and returns its real path. */
export function dataDirectory(path: string): string {
  // If root starts Plinth, the database runs as another user, who must be able to traverse the directory.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  mkdirSync(path, { recursive: true, mode });
  return realpathSync(path);
}

/**
 * Returns the secret in `dataDir/name`, and creates and stores it (mode 0600) on first use. The file is complete or
 * absent even after a crash; two processes that create it at once get the same secret.
 */
export function dataFile(dataDir: string, name: string, make: () => string): string {
  const path = join(dataDir, name);
  if (!existsSync(path)) create(path, make());
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  const secret = readFileSync(path, "utf8").trim();
  if (secret === "") throw new Error(`${path} is empty. Put its secret back, or remove the file.`);
  return secret;
}

function create(path: string, secret: string): void {
  const draft = `${path}.${crypto.randomUUID()}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
    // A link, unlike a rename, never replaces the file of another process.
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}
