// The files that go with documents of folders on this machine.
import { sep, resolve } from "node:path";

import { filesLimits } from "@plinth/contract/limits";
import type { Collector, FileSource } from "@plinth/contract/publishing/references/collect";

import { readFileBounded } from "../files/bounded-read.ts";
import { digestOf } from "../files/digest.ts";
import type { Io } from "../io/io.ts";
import { allowedPlaces, isInside } from "./allowed-place.ts";
import { listedFiles } from "./listed-files.ts";

interface FolderOptions {
  /** Files outside it are left out. */
  readonly root: string;
  /** The pushed folder or the folder of the document, in the root. Paths of files begin here where all are in it. */
  readonly folder: string;
  /** The absolute paths of the documents that are pushed: links to them are links between documents. */
  readonly pushed: ReadonlySet<string>;
  readonly env: Io["env"];
}

/** Files that several documents refer to are read once. Documents are given by `slashed` paths. */
export async function createFolderCollector({ root, folder, pushed, env }: FolderOptions): Promise<Collector> {
  const { createCollector } = await import("@plinth/contract/publishing/references/collect");
  return createCollector({
    source: await folderFiles(root, folder, env),
    folder: slashed(folder),
    documents: new Set([...pushed].map(slashed)),
  });
}

async function folderFiles(root: string, folder: string, env: Io["env"]): Promise<FileSource> {
  const places = await allowedPlaces(root, folder, env);
  const ignored = new Map<string, Promise<boolean>>();
  /** A document that git ignores was named by the user, so its files may be ignored too. */
  function keepsIgnored(document: string): Promise<boolean> {
    const known = ignored.get(document);
    if (known !== undefined) return known;
    const asked = places
      .at(resolve(document), true)
      .then((place) => place.kind === "file" && places.isIgnored(place.path));
    ignored.set(document, asked);
    return asked;
  }
  return {
    at: async (path, document) => places.at(resolve(path), await keepsIgnored(document)),
    list: (below) => listedFiles(resolve(below), root),
    async read(place) {
      const bytes = await readFileBounded(place, filesLimits.fileBytes).catch(() => null);
      return bytes === null || "tooLarge" in bytes ? null : { bytes, sha256: digestOf(bytes).sha256 };
    },
  };
}

/** A path of this machine with `/`. */
export const slashed = (path: string): string => path.split(sep).join("/");

/** What a document may take its files from: its repository, else the working directory, else its own folder. */
export function rootFor(folder: string, repository: string | null, directory: string): string {
  if (repository !== null) return repository;
  return isInside(folder, directory) ? directory : folder;
}
