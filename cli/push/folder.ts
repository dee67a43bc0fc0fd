// Lists the publishable files of a folder: those with a known extension that are not hidden, ignored by git, or links.
// Reads no content.
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

import { inferType, knownExtensions } from "@plinth/contract/publishing/document-type";

import { usage } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import { ignoreRulesOf, type IgnoreRules } from "../document-files/ignore-rules.ts";

/** Files of one push; more of them mean a wrong folder. */
const MAX_FILES = 10_000;
/** Folders in folders. */
const MAX_DEPTH = 32;

interface Found {
  /** Paths below the folder, with `/`. */
  readonly files: string[];
  /** What would have been published, but is ignored. */
  ignored: number;
  deeper: boolean;
}

/** The paths of the files below the folder, with `/` and sorted; absolute path. @throws Failure usage where there are none */
export async function publishableIn(
  folder: string,
  name: string,
  recursive: boolean,
  env: Io["env"],
): Promise<string[]> {
  const found: Found = { files: [], ignored: 0, deeper: false };
  const root = await realpath(folder);
  const rules = await ignoreRulesOf(root, env);
  await walk({ folder: root, inside: "", rules, recursive, name }, found);
  if (found.files.length === 0) throw usage(`${name} holds nothing to publish`, { hint: whyNone(found) });
  return found.files;
}

function whyNone({ ignored, deeper }: Found): string {
  if (ignored > 0) return `git ignores ${ignored} of its files or folders; name files one by one to publish them`;
  if (deeper) return "Add -r for the folders in it";
  return `Files with ${knownExtensions.join(", ")} are published, but not hidden ones and links`;
}

interface Place {
  readonly folder: string;
  readonly inside: string;
  readonly rules: IgnoreRules;
  readonly recursive: boolean;
  readonly name: string;
}

async function walk({ folder, inside, rules, recursive, name }: Place, found: Found): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  // By code units: the same order on every machine.
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    // A link is neither a file nor a folder here, wherever it leads.
    const isFolder = entry.isDirectory();
    if (entry.name.startsWith(".") || entry.name === "node_modules" || !(isFolder || isPublishable(entry))) continue;
    const path = join(folder, entry.name);
    if (rules.ignores(path, isFolder)) {
      // Git knows files alone, and so leaves out an empty folder too.
      if (!isFolder || (await readdir(path)).length > 0) found.ignored++;
      continue;
    }
    const below = `${inside}${entry.name}`;
    if (below.split("/").length > MAX_DEPTH)
      throw usage(`${name} has folders deeper than ${MAX_DEPTH}`, { hint: "Push its folders one by one" });
    if (!isFolder) found.files.push(below);
    else if (recursive)
      await walk({ folder: path, inside: `${below}/`, rules: await rules.below(path), recursive, name }, found);
    else found.deeper = true;
    if (found.files.length > MAX_FILES)
      throw usage(`${name} holds more than ${MAX_FILES} files to publish`, { hint: "Push its folders one by one" });
  }
}

const isPublishable = (entry: { readonly name: string; isFile(): boolean }): boolean =>
  entry.isFile() && inferType(entry.name) !== null;
