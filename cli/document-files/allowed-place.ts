// Decides which files can go with a document: those in its root folder that are neither hidden nor ignored by git, and
// that no symbolic link takes out of it. A hidden folder that was named itself is not hidden. Reads no content.
import { realpath, stat } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";

import type { Place } from "@plinth/contract/publishing/references/collect";
import { leftOutReasons } from "@plinth/contract/publishing/references/left-out";

import { codeOf } from "../failure/system-error.ts";
import type { Io } from "../io/io.ts";
import { ignoreRulesOf, type IgnoreRules } from "./ignore-rules.ts";

interface AllowedPlaces {
  /** The place at an absolute path. `keepsIgnored` also allows what git ignores. */
  at(path: string, keepsIgnored: boolean): Promise<Place>;
  /** Whether git ignores a file, given by its real path in the root. */
  isIgnored(path: string): Promise<boolean>;
}

/**
 * Nothing outside `root` is allowed. Most files are in `folder`, whose ignore rules are read once; both are absolute
 * paths, the folder in the root.
 */
export async function allowedPlaces(root: string, folder: string, env: Io["env"]): Promise<AllowedPlaces> {
  const [top, start] = await Promise.all([realpath(root), realpath(folder)]);
  const isIgnored = ignoreCheck(start, env);
  return {
    isIgnored,
    async at(path, keepsIgnored) {
      if (!isInside(path, root)) return leftOut(`it is outside of ${root}`);
      const found = await find(path);
      if (found === null) return { kind: "missing" };
      if (!isInside(found.path, top)) return leftOut("it is a link that leads out of the folder");
      if (found.kind === "folder") return { kind: "folder" };
      if (found.kind === "other") return leftOut("it is no regular file");
      const names = [
        ...partsBelow(isInside(path, folder) ? folder : root, path),
        ...partsBelow(isInside(found.path, start) ? start : top, found.path),
      ];
      if (names.some((name) => name.startsWith("."))) return leftOut(leftOutReasons.hidden);
      if (names.includes("node_modules")) return leftOut(leftOutReasons.packages);
      if (!keepsIgnored && (await isIgnored(found.path))) return leftOut("git ignores it");
      return { kind: "file", path: found.path, sizeBytes: found.sizeBytes };
    },
  };
}

const leftOut = (reason: string): Place => ({ kind: "left-out", reason });

/** Whether the path is the folder or in it; both absolute and normalized. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const partsBelow = (folder: string, path: string): string[] => relative(folder, path).split(sep);

const absent = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES"]);

async function find(path: string) {
  try {
    const found = await stat(path);
    const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
    return { kind, path: await realpath(path), sizeBytes: found.size } as const;
  } catch (error) {
    if (absent.has(codeOf(error) ?? "")) return null;
    throw error;
  }
}

/** The rules of each folder are read once. git lists all files below a folder, so the root of a large repository is not asked. */
function ignoreCheck(start: string, env: Io["env"]): (path: string) => Promise<boolean> {
  const rules = new Map<string, Promise<IgnoreRules | null>>();
  /** Null for an ignored folder: all in it is ignored. */
  function rulesIn(folder: string): Promise<IgnoreRules | null> {
    const known = rules.get(folder);
    if (known !== undefined) return known;
    const read = (async () => {
      if (folder === start || !isInside(folder, start)) return ignoreRulesOf(folder, env);
      const above = await rulesIn(dirname(folder));
      return above === null || above.ignores(folder, true) ? null : above.below(folder);
    })();
    rules.set(folder, read);
    return read;
  }
  return async (path) => {
    const inFolder = await rulesIn(dirname(path));
    return inFolder === null || inFolder.ignores(path, false);
  };
}

/** A path below a folder with `/`. */
export const posixBelow = (folder: string, path: string): string => relative(folder, path).split(sep).join("/");
