// A text file of the user, such as AGENTS.md, read and written at its real path: within the repository, wherever
// links lead to it.
import { lstat, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

import { isCode } from "../failure/system-error.ts";
import { usage } from "../failure/failure.ts";

/** Bytes; more is no text for an agent. */
const sizeLimit = 1024 * 1024;

interface OwnText {
  /** Where it really is. */
  readonly path: string;
  /** Null where there is no file yet. */
  readonly text: string | null;
}

/** Reads the file, which need not be there yet. @throws Failure usage */
export async function readInstructions(name: string, directory: string): Promise<OwnText> {
  const path = await realPath(resolve(directory, name), name);
  const root = await rootOf(await realpath(directory));
  const inside = relative(root, path);
  if (inside.startsWith("..") || isAbsolute(inside)) throw usage(`${name} leads out of ${root}; nothing was written`);
  const stats = await stat(path).catch(nullIfMissing);
  if (stats === null) return { path, text: null };
  if (!stats.isFile()) throw usage(`${name} is not a file`);
  if (stats.size > sizeLimit) throw usage(`${name} is larger than ${sizeLimit / 1024} KiB`);
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path)) };
  } catch (error) {
    throw usage(`${name} cannot be read as UTF-8 text`, { cause: error });
  }
}

/** Writes it whole; a file without text is removed. @throws Failure usage */
export async function writeInstructions(path: string, text: string): Promise<void> {
  try {
    await (text === "" ? rm(path) : writeFile(path, text));
  } catch (error) {
    throw usage(`${path} cannot be written`, { cause: error });
  }
}

/** Whether anything has this name, be it a link to nothing. */
export const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(nullIfMissing)) !== null;

/** The way there without links; the last name alone may be missing. */
async function realPath(path: string, name: string): Promise<string> {
  if (await exists(path))
    return realpath(path).catch((error: unknown) => {
      throw usage(`${name} is a link to nothing`, { cause: error });
    });
  const parent = await realpath(dirname(path)).catch((error: unknown) => {
    throw usage(`${name}: its directory does not exist`, { cause: error });
  });
  return join(parent, basename(path));
}

/** The repository around a directory, else the directory itself. */
async function rootOf(directory: string): Promise<string> {
  for (let place = directory; ; place = dirname(place)) {
    if (await exists(join(place, ".git"))) return place;
    if (dirname(place) === place) return directory;
  }
}

function nullIfMissing(error: unknown): null {
  if (isCode(error, "ENOENT", "ENOTDIR")) return null;
  throw error;
}
