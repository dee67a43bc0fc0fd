// Where the built browser runtime is and what it is made of. Reads; build.ts writes.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The directory that holds one directory per build, named by its hash, and the manifest. */
export const RUNTIME_DIST = join(import.meta.dir, "dist");

export interface RuntimeManifest {
  /** Over the names and contents of all files: another hash is another runtime. */
  hash: string;
  /** The import map of a jsx document: module name to file name. */
  imports: Record<string, string>;
  files: string[];
}

export interface Runtime {
  hash: string;
  /** `/_runtime/<hash>/`, immutable. */
  path: string;
  /** Module name to path, for an import map. */
  imports: Record<string, string>;
  /** Names that may be served from `directory`; nothing else may. */
  files: string[];
  directory: string;
  /** The text of the guard, which documents of html and jsx have inline. */
  guard: string;
}

/** Reads the built runtime. @throws Error saying how to build it, where it is not built */
export async function readRuntime(dist = RUNTIME_DIST): Promise<Runtime> {
  const text = await readFile(join(dist, "manifest.json"), "utf8").catch((cause: unknown) => {
    throw new Error("The browser runtime is not built: run `bun domain/runtime/build.ts`", {
      cause,
    });
  });
  const { hash, imports, files } = JSON.parse(text) as RuntimeManifest;
  const path = `/_runtime/${hash}/`;
  const addresses = Object.entries(imports).map(([name, file]) => [name, path + file] as const);
  const directory = join(dist, hash);
  const guard = (await readFile(join(directory, "guard.js"), "utf8")).trim();
  return { hash, path, imports: Object.fromEntries(addresses), files, directory, guard };
}
