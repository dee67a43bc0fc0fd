// The documents that `bun run stress documents` publishes: those of a folder and its subfolders, by their extensions.
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";

export interface SetDocument {
  /** The path in the folder. */
  readonly name: string;
  readonly type: ArtifactType;
  readonly content: string;
}

const types: Readonly<Record<string, ArtifactType>> = {
  ".md": "md",
  ".markdown": "md",
  ".html": "html",
  ".htm": "html",
  ".jsx": "jsx",
  ".tsx": "jsx",
};

/** The documents written for the repository. */
export const ownSet = join(import.meta.dir, "documents");

/** Every document of the folder whose name contains `only`, at most `count` of each type. */
export async function documentsIn(folder: string, count: number, only = ""): Promise<SetDocument[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => extname(name) in types && name.includes(only))
    .toSorted();
  const chosen = [...Map.groupBy(names, (name) => types[extname(name)] ?? "md")].flatMap(([type, some]) =>
    some.slice(0, count).map((name) => ({ name, type })),
  );
  return Promise.all(
    chosen.map(async ({ name, type }) => ({ name, type, content: await readFile(join(folder, name), "utf8") })),
  );
}
