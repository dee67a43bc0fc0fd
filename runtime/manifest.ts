// Where the built browser runtime is and what it is made of. Reads; build.ts writes.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The directory that holds one directory per build, named by its hash, and the manifest. */
export const RUNTIME_DIST = join(import.meta.dir, "dist");

/** Text is kept in gzip as well; fonts are compressed already. */
export const isText = (file: string): boolean => /\.(?:js|css)$/.test(file);
/** Beside the file itself, and no name of `files`. */
export const gzipped = (file: string): string => `${file}.gz`;

export interface RuntimeManifest {
  /** Over the names and contents of all files: another hash is another runtime. */
  hash: string;
  /** The import map of a jsx document: module name to file name. */
  imports: Record<string, string>;
  /** Module name to the names it exports, sorted, `default` among them where there is one. */
  exports: Record<string, string[]>;
  /** Module name to the version of its package; our own modules have none. */
  versions: Record<string, string>;
  files: string[];
  /** For each file of `imports` what a browser loads with it, itself not among them. */
  loads: Record<string, string[]>;
}

/** The script of databases and caches in memory, in the runtime's folder. */
export const MEMORY_DATABASE = "memory-database.js";

export interface Runtime {
  hash: string;
  /** `/_runtime/<hash>/`, immutable. */
  path: string;
  /** Module name to path, for an import map. */
  imports: Record<string, string>;
  /** Module name to the version of its package; our own modules have none. */
  versions: Record<string, string>;
  /** Names that may be served from `directory`; nothing else may. */
  files: string[];
  /** Module name to the paths of all that a browser loads for it, its own first: what to preload. */
  loads: Record<string, string[]>;
  directory: string;
  /** The text of the guard, which documents of html and jsx have inline. */
  guard: string;
}

/** Reads the built runtime. @throws Error saying how to build it, where it is not built */
export async function readRuntime(dist = RUNTIME_DIST): Promise<Runtime> {
  const text = await readFile(join(dist, "manifest.json"), "utf8").catch((cause: unknown) => {
    throw new Error("The browser runtime is not built: run `bun runtime/build.ts`", { cause });
  });
  const { hash, imports, versions, files, loads } = JSON.parse(text) as RuntimeManifest;
  const path = `/_runtime/${hash}/`;
  const directory = join(dist, hash);
  const byModule = <T>(of: (file: string) => T) =>
    Object.fromEntries(Object.entries(imports).map(([name, file]) => [name, of(file)] as const));
  return {
    hash,
    path,
    imports: byModule((file) => path + file),
    versions,
    files,
    loads: byModule((file) => [file, ...(loads[file] ?? [])].map((loaded) => path + loaded)),
    directory,
    guard: (await readFile(join(directory, "guard.js"), "utf8")).trim(),
  };
}
