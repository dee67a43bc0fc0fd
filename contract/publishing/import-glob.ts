// The files that `import.meta.glob` of a jsx document means, as Vite finds them. The command line and the web app find files
// by it, and the compiler reads them. Pure.
import picomatch from "picomatch/posix";

import { afterAlias, sourceFolders } from "./import-path.ts";

/** What decides which files are meant. */
export interface ImportGlob {
  /** As they are written; one that begins with `!` takes files away. */
  readonly patterns: readonly string[];
  /** The folder that relative patterns and the names of files begin at, relative to the file; "" for the file's own. */
  readonly base: string;
  /** Hidden files and those of `node_modules` as well. */
  readonly exhaustive: boolean;
}

/** Where the file with the patterns is. Folders are paths without a slash at the end; the root of relative paths is "". */
export interface GlobPlace {
  readonly folder: string;
  /** The folders that paths from the root (`/src/a.js`) and aliases (`@/a.js`) begin at, the first that has a match. */
  readonly roots: readonly string[];
}

/** Characters of a pattern, and patterns of a call. */
const longestPattern = 512;
const mostPatterns = 32;

/** Whether the patterns are few and short enough, and each begins as Vite has it: `./`, `../`, `/`, `**` or an alias. */
export const isGlob = ({ patterns }: Pick<ImportGlob, "patterns">): boolean =>
  patterns.length <= mostPatterns &&
  patterns.every((pattern) => pattern.length <= longestPattern && /^!?(?:\.{1,2}\/|\/|\*\*|[@~]\/)/.test(pattern));

/** A start, and the folders below it that files are looked for in: of `./pages/*.jsx` in `src` it is `src/pages`. */
export function globFolders(glob: ImportGlob, place: GlobPlace): string[] {
  const positive = glob.patterns.filter((pattern) => !pattern.startsWith("!"));
  return [...new Set(positive.flatMap((pattern) => startsOf(pattern, glob, place).map(({ folder }) => folder)))];
}

interface Start {
  /** What the pattern is matched below. */
  readonly folder: string;
  readonly rest: string;
  /** What the names of files are relative to; null for names from the root. */
  readonly from: string | null;
  readonly root: string;
}

/** The folder before the first sign of a pattern, and what is left of it, for each place that it may begin at. */
function startsOf(pattern: string, { base }: ImportGlob, { folder, roots }: GlobPlace): Start[] {
  const alias = afterAlias(pattern);
  const isRelative = alias === null && !pattern.startsWith("/");
  const own = below(folder, base) ?? folder;
  const tops = isRelative
    ? [{ at: own, from: own, root: "" }]
    : roots.flatMap((root) =>
        (alias === null ? [""] : sourceFolders).map((source) => ({
          at: below(root, source) ?? root,
          from: null,
          root,
        })),
      );
  const segments = (alias ?? pattern).split("/");
  const literal = segments.slice(0, -1).findIndex((segment) => picomatch.scan(segment).isGlob);
  const plain = literal === -1 ? segments.slice(0, -1) : segments.slice(0, literal);
  const rest = segments.slice(plain.length).join("/");
  return tops.flatMap(({ at, from, root }) => {
    const start = below(at, plain.join("/"));
    return start === null ? [] : [{ folder: start, rest, from, root }];
  });
}

/** Names of files as the code gets them, and their paths, by name: `./pages/a.jsx` and `src/pages/a.jsx`. */
export function globbedPaths(glob: ImportGlob, place: GlobPlace, paths: Iterable<string>): Map<string, string> {
  const options = { dot: glob.exhaustive };
  const isTaken = ({ folder, rest }: Start) => {
    const matches = picomatch(rest, options);
    const above = folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
    return (path: string): boolean =>
      path.startsWith(above) && (path.slice(above.length) === rest || matches(path.slice(above.length)));
  };
  const all = [...paths].filter((path) => glob.exhaustive || !/(?:^|\/)node_modules\//.test(path)).toSorted();
  const refused = glob.patterns
    .filter((pattern) => pattern.startsWith("!"))
    .flatMap((pattern) => startsOf(pattern.slice(1), glob, place).map(isTaken));
  const found = new Map<string, string>();
  for (const pattern of glob.patterns.filter((one) => !one.startsWith("!")))
    for (const start of startsOf(pattern, glob, place)) {
      const matched = all.filter(isTaken(start)).filter((path) => !refused.some((isRefused) => isRefused(path)));
      for (const path of matched) found.set(nameOf(path, start), path);
      if (matched.length > 0) break;
    }
  return found;
}

function nameOf(path: string, { from, root }: Start): string {
  if (from === null) return `/${root === "" ? path : path.slice(root.length + 1)}`;
  const [own, to] = [from, path].map((one) => one.split("/").filter((part) => part !== ""));
  let shared = 0;
  while (shared < (own?.length ?? 0) && own?.[shared] === to?.[shared]) shared++;
  const up = "../".repeat((own?.length ?? 0) - shared);
  return `${up === "" ? "./" : up}${(to ?? []).slice(shared).join("/")}`;
}

/** Null for a folder above the root. */
function below(folder: string, relative: string): string | null {
  const isAbsolute = folder.startsWith("/");
  const parts = folder.split("/").filter((part) => part !== "");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return `${isAbsolute ? "/" : ""}${parts.join("/")}`;
}
