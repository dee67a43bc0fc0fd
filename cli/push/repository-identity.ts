// Identifies the repository of a checkout: clones of one remote are the same, and so are the work trees of one clone.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** The URL of its remote `origin`, else the folder that git keeps it in. `root` is the folder with `.git`. */
export function repositoryIdentity(root: string): string {
  const folder = commonFolder(join(root, ".git"), root);
  const config = join(folder, "config");
  const section = existsSync(config)
    ? /^\[remote "origin"\]\n((?:[^[\n].*\n?)*)/m.exec(readFileSync(config, "utf8"))
    : null;
  return /^\s*url\s*=\s*(\S+)/m.exec(section?.[1] ?? "")?.[1] ?? folder;
}

/** A work tree has a file there that leads to its own folder, and that one to the folder of the clone. */
function commonFolder(git: string, root: string): string {
  if (statSync(git).isDirectory()) return git;
  const own = /^gitdir:\s*(.+)$/m.exec(readFileSync(git, "utf8"))?.[1];
  if (own === undefined) return git;
  const folder = resolve(root, own);
  const common = join(folder, "commondir");
  return existsSync(common) ? resolve(folder, readFileSync(common, "utf8").trim()) : folder;
}
