// The files below a folder, for imports that name them by patterns. Hidden folders and `node_modules` are not entered.
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";

import { codeOf } from "../failure/system-error.ts";
import { isInside } from "./allowed-place.ts";

/** Entries that are looked at; a version has far fewer files. */
const mostEntries = 20_000;

/** Absolute paths with `/`, in order; none of a folder that is not there, or not in the root. Links are not followed. */
export async function listedFiles(folder: string, root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = isInside(folder, root) ? [folder] : [];
  let seen = 0;
  // The list grows while it is walked.
  for (const one of folders)
    for (const entry of await entriesOf(one)) {
      if (++seen > mostEntries) return found.toSorted();
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) folders.push(join(one, entry.name));
      else found.push(join(one, entry.name).split(sep).join("/"));
    }
  return found.toSorted();
}

const absent = new Set(["ENOENT", "ENOTDIR", "EACCES"]);

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (absent.has(codeOf(error) ?? "")) return [];
    throw error;
  }
}
