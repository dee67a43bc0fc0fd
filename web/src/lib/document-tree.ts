// The documents of a project as the tree of the folder they came from.
import { isIndexPage } from "@plinth/contract/publishing/reading-order";
import type { ProjectDocument } from "@plinth/contract/schemas/project";

export interface TreeFolder {
  /** Empty for the root. */
  readonly name: string;
  /** The page that a folder begins with; null where it has none. */
  index: ProjectDocument | null;
  /** In reading order. */
  readonly entries: (ProjectDocument | TreeFolder)[];
}

export const isFolder = (entry: ProjectDocument | TreeFolder): entry is TreeFolder => "entries" in entry;

/** Expects the documents in reading order. */
export function documentTree(documents: readonly ProjectDocument[]): TreeFolder {
  const root: TreeFolder = { name: "", index: null, entries: [] };
  for (const document of documents) {
    const folders = document.sourcePath.split("/").slice(0, -1);
    let folder = root;
    for (const name of folders) folder = folderIn(folder, name);
    if (folder !== root && folder.index === null && isIndexPage(document.sourcePath)) folder.index = document;
    else folder.entries.push(document);
  }
  return root;
}

function folderIn({ entries }: TreeFolder, name: string): TreeFolder {
  const known = entries.filter(isFolder).find((folder) => folder.name === name);
  if (known !== undefined) return known;
  const made: TreeFolder = { name, index: null, entries: [] };
  entries.push(made);
  return made;
}
