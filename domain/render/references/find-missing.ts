// The files that a document refers to and that are not published with it, and its links to other documents: what
// `plinth push` finds in a folder, found among the files of a version. Looks up no document.
import { createCollector, type FileSource, type ReferencePlace } from "@plinth/contract/publishing/references/collect";
import { onceEach } from "@plinth/contract/publishing/references/parts";
import { folderOf, pathFrom } from "@plinth/contract/publishing/references/paths";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { isImagePath } from "../document/own-images.ts";
import type { FilesBeside } from "../jsx/files-beside.ts";

/** A link of the document itself, with the path that it leads to from the folder of the document. */
interface DocumentLink {
  readonly url: string;
  readonly line: number;
  readonly target: string;
}

export interface FoundMissing {
  /** Each once; the first of them. */
  readonly files: readonly ReferencePlace[];
  readonly fileCount: number;
  readonly links: readonly DocumentLink[];
}

/** Files and links that are told of. A document with more links lists a whole project. */
export const mostFound = { files: 32, links: 1000 } as const;

/** Characters of a URL. */
const longestUrl = 200;

/** A name that no link can have, because it has a control character. */
const ownName = "\u0001";

const encoder = new TextEncoder();

export async function findMissing(type: ArtifactType, content: string, beside: FilesBeside): Promise<FoundMissing> {
  const path = beside.base + ownName;
  const collector = createCollector({ source: filesOf(beside), folder: "", documents: new Set() });
  const found = await collector.collect({ path, type, content });
  // A link that leads to an uploaded page or text is one to a file, in a document of any type.
  const isFile = (target: string | null): boolean => target !== null && beside.paths.has(target);
  const rooted = found.leftOut.filter(({ url, isLink }) => !isLink && !(type === "md" && isOwnImage(url)));
  const files = inOrder(onceEach([...found.notFound, ...rooted]));
  const links = onceEach(found.links.filter(({ file, target }) => file === null && target !== null && !isFile(target)));
  const home = folderOf(path);
  return {
    files: files.slice(0, mostFound.files).map(({ url, line, file }) => ({ url: cut(url), line, file })),
    fileCount: files.length,
    links: links
      .slice(0, mostFound.links)
      .map(({ url, line, target }) => ({ url: cut(url), line, target: pathFrom(home, target ?? "") })),
  };
}

/** The files of a version. Nothing but their texts is read. */
function filesOf({ paths, texts }: FilesBeside): FileSource {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = folderOf(path); folder !== "" && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder);
  return {
    at: (path) => {
      if (paths.has(path)) return Promise.resolve({ kind: "file", path, sizeBytes: 0 });
      const isFolder = path === "" || folders.has(path.replace(/\/$/, ""));
      return Promise.resolve(isFolder ? { kind: "folder" } : { kind: "missing" });
    },
    list: (folder) => Promise.resolve([...paths].filter((path) => folder === "" || path.startsWith(`${folder}/`))),
    read: (path) => Promise.resolve({ bytes: encoder.encode(texts.get(path) ?? ""), sha256: "" }),
  };
}

/** Whether the instance shows an image at a path from its root, as of a thumbnail. */
const isOwnImage = (url: string): boolean => isImagePath(url.trim().replace(/[?#].*$/s, ""));

/** The document's own first, then by file and line. */
const inOrder = <Place extends ReferencePlace>(places: readonly Place[]): Place[] =>
  places.toSorted((one, other) => (one.file ?? "").localeCompare(other.file ?? "", "en") || one.line - other.line);

const cut = (url: string): string => (url.length <= longestUrl ? url : `${url.slice(0, longestUrl).toWellFormed()}…`);
