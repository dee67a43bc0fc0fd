// The files of what was dropped or chosen, by their paths, folders walked. Reads no content.
import type { Dropped } from "#lib/dropped-files.ts";

/** Files by their paths from the dropped folder, or from where they were dropped together. */
export interface FileList {
  readonly files: ReadonlyMap<string, File>;
  /** The names of files that came without a folder: they can be at any path that a document refers to. */
  readonly loose: ReadonlySet<string>;
}

export interface ListedFiles extends FileList {
  readonly hasFolder: boolean;
  /** Names of hidden files and folders, and of node_modules. */
  readonly skipped: readonly string[];
  /** More files than are looked at. */
  readonly isCut: boolean;
}

/** Files of one drop, and folders in one another. */
export const listLimits = { files: 5_000, depth: 40 } as const;

export const isSkipped = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/** A dropped folder is the root of its paths, unless it `keepsFolder`. */
export async function listFiles(dropped: readonly Dropped[], keepsFolder = false): Promise<ListedFiles> {
  const found: [path: string, file: File][] = [];
  const skipped = new Set<string>();
  let isCut = false;

  function add(path: string, file: File): void {
    const hidden = path.split("/").find(isSkipped);
    if (hidden !== undefined) skipped.add(hidden);
    else if (found.length >= listLimits.files) isCut = true;
    else found.push([path.normalize("NFC"), file]);
  }
  async function walk(entry: FileSystemEntry, depth: number): Promise<void> {
    const path = entry.fullPath.replace(/^\//, "");
    if (entry.isFile) {
      const file = await fileOf(entry as FileSystemFileEntry);
      if (file !== null) add(path, file);
    } else if (isSkipped(entry.name)) skipped.add(entry.name);
    else if (depth >= listLimits.depth) isCut = true;
    else
      for await (const inside of entriesIn(entry as FileSystemDirectoryEntry)) {
        if (isCut) return;
        await walk(inside, depth + 1);
      }
  }

  for (const one of dropped) {
    if (isCut) break;
    if (one instanceof File) add(one.webkitRelativePath || one.name, one);
    else await walk(one, 0);
  }
  const hasFolder = found.some(([path]) => path.includes("/"));
  const top = hasFolder && !keepsFolder ? sharedTop(found.map(([path]) => path)) : 0;
  const files = new Map(found.map(([path, file]) => [path.slice(top), file]));
  const loose = new Set(hasFolder ? [] : files.keys());
  return { files, loose, hasFolder, skipped: [...skipped].toSorted(), isCut };
}

/** The length of the folder, with its slash, that all paths begin with; 0 where there is none. */
function sharedTop(paths: readonly string[]): number {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return paths.every((path) => path.startsWith(top)) ? top.length : 0;
}

/** Null for one that cannot be opened. */
const fileOf = (entry: FileSystemFileEntry): Promise<File | null> =>
  new Promise((found) => entry.file(found, () => found(null)));

/** A browser gives a folder in portions. What it cannot open counts as empty. */
async function* entriesIn(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((found) => reader.readEntries(found, () => found([])));
    if (portion.length === 0) return;
    yield* portion;
  }
}
