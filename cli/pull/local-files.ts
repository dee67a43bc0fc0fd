// Reads and writes files below a folder without following a symbolic link in it.
import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { isCode } from "../failure/system-error.ts";
import { readFileBounded } from "../files/bounded-read.ts";
import { digestOf } from "../files/digest.ts";

/** Bytes; no file of a project is larger. */
const longest = 64 * 1024 * 1024;

/** The hash of the file that is there now, null where there is none, or why nothing can be written there. */
export type LocalFile = { readonly sha256: string } | { readonly refused: string } | null;

export async function localFile(folder: string, path: string): Promise<LocalFile> {
  const parts = path.split("/");
  let place = folder;
  for (const [index, part] of parts.entries()) {
    place = join(place, part);
    const found = await find(place);
    if (found === null) return null;
    if (found.isSymbolicLink()) return { refused: `${parts.slice(0, index + 1).join("/")} is a link` };
    const isLast = index === parts.length - 1;
    if (!isLast && !found.isDirectory()) return { refused: `${parts.slice(0, index + 1).join("/")} is a file` };
    if (isLast && !found.isFile()) return { refused: "something else than a file is there" };
  }
  const bytes = await readFileBounded(place, longest);
  return "tooLarge" in bytes ? { refused: "a larger file is there" } : { sha256: digestOf(bytes).sha256 };
}

async function find(place: string) {
  try {
    return await lstat(place);
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Writes a file whole: a crash leaves the old one or the new one. The caller has checked the place by `localFile`. */
export async function writeLocalFile(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const parts = path.split("/");
  let place = folder;
  for (const part of parts.slice(0, -1)) {
    place = join(place, part);
    await mkdir(place).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
    if (!(await lstat(place)).isDirectory()) throw new Error(`${place} is no folder`);
  }
  const beside = join(place, `.plinth-${randomUUID()}`);
  try {
    const file = await open(beside, "wx", 0o666);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(beside, join(place, parts.at(-1) ?? ""));
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
