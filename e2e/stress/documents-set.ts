// The documents that `bun run stress documents` publishes: those of a folder and its subfolders, by their extensions. A
// folder with an index.json that names one document for each of its subfolders has documents with the files beside them.
import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";

import { inferType } from "@plinth/contract/publishing/document-type";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

export interface SetDocument {
  /** The path in the folder. */
  readonly name: string;
  readonly type: ArtifactType;
  readonly content: string;
  /** Where its files are; missing of a document that is published alone. */
  readonly beside?: FilesBeside;
}

export interface FilesBeside {
  /** The folder with the document and its files, absolute. */
  readonly root: string;
  /** The path of the document in it. */
  readonly path: string;
  /** The paths of files that the document names and the set lacks. */
  readonly lacks: readonly string[];
}

/** The documents written for the repository. */
export const ownSet = join(import.meta.dir, "documents");

/** Every document of the folder whose name contains `only`, at most `count` of each type. */
export async function documentsIn(folder: string, count: number, only = ""): Promise<SetDocument[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const withFiles = await documentsWithFiles(folder, files);
  const places = [...new Set([...withFiles.values()].map(({ place }) => place))];
  const names = files
    .filter((name) => withFiles.has(name) || !places.some((place) => name.startsWith(place)))
    .filter((name) => inferType(name) !== null && name.includes(only))
    .toSorted();
  const chosen = [...Map.groupBy(names, (name) => inferType(name) ?? "md")].flatMap(([type, some]) =>
    some.slice(0, count).map((name) => ({ name, type })),
  );
  return Promise.all(
    chosen.map(async ({ name, type }) => {
      const { beside } = withFiles.get(name) ?? {};
      const content = await readFile(join(folder, name), "utf8");
      return { name, type, content, ...(beside === undefined ? {} : { beside }) };
    }),
  );
}

interface DocumentWithFiles {
  readonly beside: FilesBeside;
  /** The folder of the index among those of the set, with a slash at its end, or empty. */
  readonly place: string;
}

/** By their paths in the folder. */
async function documentsWithFiles(folder: string, files: readonly string[]): Promise<Map<string, DocumentWithFiles>> {
  const found = new Map<string, DocumentWithFiles>();
  for (const file of files.filter((name) => basename(name) === "index.json")) {
    const place = file.slice(0, -"index.json".length);
    const index: unknown = JSON.parse(await readFile(join(folder, file), "utf8"));
    for (const { folder: own, document: path, notInRepository: lacks = [] } of Array.isArray(index)
      ? (index as Partial<IndexEntry>[])
      : [])
      if (own !== undefined && path !== undefined)
        found.set(`${place}${own}/${path}`, { beside: { root: resolve(folder, place, own), path, lacks }, place });
  }
  return found;
}

interface IndexEntry {
  readonly folder: string;
  readonly document: string;
  readonly notInRepository: readonly string[];
}
