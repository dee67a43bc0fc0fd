// The files and links of each document of a push. Only documents of a folder or a file have any: standard input has no place.
import { basename, dirname, resolve } from "node:path";

import type { Collector, DocumentFiles } from "@plinth/contract/publishing/references/collect";
import { partsAmong } from "@plinth/contract/publishing/references/parts";
import { directoryAbove, directoryOf, manifestText } from "@plinth/contract/publishing/file-path";

import { allFilesIn, mostListed } from "../document-files/all-files.ts";
import { createFolderCollector, rootFor, slashed } from "../document-files/folder-files.ts";
import type { Io } from "../io/io.ts";
import { repositoryOf } from "../document-files/ignore-rules.ts";
import { usage } from "../failure/failure.ts";
import type { NamedFile } from "./named-files.ts";
import type { Push } from "./push.ts";
import { digestOf } from "../files/digest.ts";

/** The push with the files that were found. */
const withFound = (push: Push, found: DocumentFiles): Push =>
  found.files.length === 0 ? { ...push, found } : placed({ ...push, found }, found.files, found.documentPath);

function placed(push: Push, files: DocumentFiles["files"], documentPath: string): Push {
  const base = directoryOf(documentPath);
  const { documentPath: _before, ...body } = push.body;
  return {
    ...push,
    filesSha256: digestOf(manifestText(base, files)).sha256,
    body: {
      ...body,
      files: files.map(({ path, sha256 }) => ({ path, sha256 })),
      // Otherwise it is where the source path says.
      ...(base !== directoryOf(body.sourcePath ?? "") && { documentPath }),
    },
  };
}

/**
 * The push of one file whose artifact came with a folder: its files get the paths that they have in the folder, so that
 * both ways to push it publish the same.
 */
export function atSourcePath(push: Push, sourcePath: string): Push {
  const { found, body } = push;
  if (found === undefined || found.files.length === 0 || body.sourcePath !== undefined) return push;
  const above = directoryAbove(sourcePath, found.documentPath);
  if (above === "") return push;
  const files = found.files.map((file) => ({ ...file, path: `${above}${file.path}` }));
  return placed(push, files, `${above}${found.documentPath}`);
}

/** Finds the files of documents; those of one folder are read once. */
export interface FileFinder {
  withFiles(push: Push): Promise<Push>;
}

/** `documents` are all that are pushed; `root` is the folder that files can be in, absolute, where the line names one. */
export function createFileFinder(
  documents: readonly NamedFile[],
  { directory, env }: Pick<Io, "directory" | "env">,
  root: string | null,
): FileFinder {
  const pathOf = ({ name }: NamedFile): string => resolve(directory, name);
  const pushed = new Set(documents.filter(({ name }) => name !== "-").map(pathOf));
  const collectors = new Map<string, Promise<Collector>>();
  function collectorFor(file: NamedFile): Promise<Collector> {
    const folder = file.within === null ? dirname(pathOf(file)) : resolve(directory, file.within.folder);
    const known = collectors.get(folder);
    if (known !== undefined) return known;
    const top = root ?? rootFor(folder, repositoryOf(folder), directory);
    const made = createFolderCollector({ root: top, folder, pushed, env });
    collectors.set(folder, made);
    return made;
  }
  return {
    async withFiles(push) {
      const { file, body, source } = push;
      if (file.name === "-") return push;
      const path = pathOf(file);
      const document = { path: slashed(path), type: body.type, content: source.content };
      const collector = await collectorFor(file);
      if (file.whole === undefined) return withFound(push, await collector.collect(document));
      const { files, notTaken, isCut } = await allFilesIn(dirname(path), basename(path), env);
      if (isCut)
        throw usage(`The folder of ${file.name} holds more than ${mostListed} files and folders, or too deep ones`, {
          hint: "Name the folder that has the document alone",
        });
      const found = await collector.collect(document, files.map(slashed));
      return withFound(push, { ...found, notTaken: [...found.notTaken, ...notTaken] });
    },
  };
}

/** Without the documents of a folder that are parts of others: they are published as files of those. */
export function withoutParts(pushes: readonly Push[], directory: string): Push[] {
  const pathOf = ({ file }: Push): string => slashed(resolve(directory, file.name));
  const parts = partsAmong(new Map(pushes.flatMap((push) => (push.found ? [[pathOf(push), push.found]] : []))));
  return pushes.filter((push) => push.file.within === null || !parts.has(pathOf(push)));
}
