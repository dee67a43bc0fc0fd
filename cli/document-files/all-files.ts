// Lists every file of a folder that is published as one document, and names those that stay behind: what is hidden, in
// node_modules, or ignored by git. Reads no content.
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

import { leftOutReasons } from "@plinth/contract/publishing/references/left-out";
import type { NotTakenFile } from "@plinth/contract/publishing/references/collect";

import { isCode } from "../failure/system-error.ts";
import type { Io } from "../io/io.ts";
import { ignoreRulesOf, type IgnoreRules } from "./ignore-rules.ts";

/** Files and folders; more of them mean a wrong folder. */
export const mostListed = 10_000;
/** Folders in folders. */
const MAX_DEPTH = 32;

interface ListedFolder {
  /** Absolute paths, in the order of their names' code units: the same on every machine. */
  readonly files: readonly string[];
  readonly notTaken: readonly NotTakenFile[];
  /** There are more than were listed. */
  readonly isCut: boolean;
}

/** What says nothing of a document to its author. */
const ofMachines = new Set([".git", ".gitignore", ".DS_Store", ".nojekyll"]);

/**
 * The files below an absolute folder. Where git ignores the document itself, which its author named, what it ignores goes
 * along too.
 */
export async function allFilesIn(folder: string, document: string, env: Io["env"]): Promise<ListedFolder> {
  const files: string[] = [];
  const notTaken: NotTakenFile[] = [];
  const root = await realpath(folder);
  const all = await ignoreRulesOf(root, env);
  const rules = all.ignores(join(root, document), false) ? null : all;
  let listed = 0;

  /** False where there is more than may be listed. */
  async function walk(inside: string, within: IgnoreRules | null, depth: number): Promise<boolean> {
    const entries = await readdir(join(root, inside), { withFileTypes: true }).catch((error: unknown) => {
      if (!isCode(error, "EACCES")) throw error;
      notTaken.push({ path: inside, reason: leftOutReasons.unreadable });
      return [];
    });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (++listed > mostListed) return false;
      const isFolder = entry.isDirectory();
      const path = join(root, inside, entry.name);
      const below = `${inside}${entry.name}${isFolder ? "/" : ""}`;
      const reason = reasonFor(entry.name) ?? (within?.ignores(path, isFolder) ? "git ignores it" : null);
      if (reason !== null) {
        if (!ofMachines.has(entry.name)) notTaken.push({ path: below, reason });
      } else if (!isFolder) files.push(join(folder, inside, entry.name));
      else if (depth === MAX_DEPTH || !(await walk(below, (await within?.below(path)) ?? null, depth + 1)))
        return false;
    }
    return true;
  }
  return { isCut: !(await walk("", rules, 1)), files, notTaken };
}

const reasonFor = (name: string): string | null =>
  name.startsWith(".") ? leftOutReasons.hidden : name === "node_modules" ? leftOutReasons.packages : null;
