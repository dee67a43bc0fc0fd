// The rules for files that git would not track below a folder: from git where it can be run, else from every .gitignore
// from the root of the repository down.
import { existsSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

import ignore, { type Ignore } from "ignore";

import { isCode } from "../failure/system-error.ts";
import { Failure, usage } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import { gitFilesOf } from "./git-files.ts";

/** Characters of a .gitignore; one that is longer is not a person's. */
const MAX_LENGTH = 256 * 1024;
const MAX_BYTES = 4 * MAX_LENGTH;
/** `**` in one rule: each multiplies the ways a path can match. */
const MAX_DOUBLE_STARS = 4;

interface Level {
  readonly folder: string;
  readonly rules: Ignore;
}

/** The rules that hold in a folder, the nearest first. */
export interface IgnoreRules {
  /** Whether git would leave it out; `path` is absolute and in the folder. */
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules of a folder in this one. */
  below(folder: string): Promise<IgnoreRules>;
}

/** The rules of a folder, with those of its parents up to the root of its repository; absolute path. @throws Failure usage */
export async function ignoreRulesOf(folder: string, env: Io["env"]): Promise<IgnoreRules> {
  const root = repositoryOf(folder);
  const files = root === null ? null : await gitFilesOf(folder, env);
  if (files !== null) return rulesOfGit(folder, files, env);
  if (root === null) return rulesOf(await levelOf(folder));
  const folders = [folder];
  for (let at = folder; at !== root; at = dirname(at)) folders.push(dirname(at));
  return rulesOf((await Promise.all(folders.map(levelOf))).flat());
}

/** The nearest folder, from this one up, that holds `.git`; null outside any repository. */
export function repositoryOf(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}

async function levelOf(folder: string): Promise<Level[]> {
  const path = join(folder, ".gitignore");
  const text = await readRules(path);
  if (text === null) return [];
  if (text.length > MAX_LENGTH || text.split("\n").some((rule) => rule.split("**").length - 1 > MAX_DOUBLE_STARS))
    throw usage(`${path} is too long or has a rule with more than ${MAX_DOUBLE_STARS} **`, {
      hint: "Name the files one by one",
    });
  return [{ folder, rules: ignore({ ignoreCase: process.platform !== "linux" }).add(text) }];
}

/** Null where there are none. Git follows no link here either, and one may lead to what never ends. @throws Failure usage */
async function readRules(path: string): Promise<string | null> {
  const unreadable = (cause?: unknown) =>
    usage(`${path} cannot be read, and what it keeps out is not to be published`, { cause });
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > MAX_BYTES) throw unreadable();
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error instanceof Failure ? error : unreadable(error);
  }
}

/** Of a repository inside this one git names the folder alone; it has its own rules. */
function rulesOfGit(root: string, files: readonly string[], env: Io["env"]): IgnoreRules {
  const kept = new Set(files.map((path) => path.replace(/\/$/, "")));
  for (const path of files)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) kept.add(path.slice(0, end));
  const rules: IgnoreRules = {
    ignores: (path) => !kept.has(relative(root, path).split(sep).join("/").normalize("NFC")),
    below: async (folder) => (existsSync(join(folder, ".git")) ? ignoreRulesOf(folder, env) : rules),
  };
  return rules;
}

function rulesOf(levels: readonly Level[]): IgnoreRules {
  return {
    ignores(path, isFolder) {
      for (const { folder, rules } of levels) {
        const inside = relative(folder, path).split(sep).join("/");
        const { ignored, unignored } = rules.test(isFolder ? `${inside}/` : inside);
        if (ignored || unignored) return ignored;
      }
      return false;
    },
    below: async (folder) => rulesOf([...(await levelOf(folder)), ...levels]),
  };
}
