// The files and links of each document of a push. Only documents of a folder or a file have any: standard input has no place.
import { dirname, resolve } from "node:path";

import type { Collector } from "@plinth/contract/publishing/references/collect";
import { partsAmong } from "@plinth/contract/publishing/references/parts";

import { createFolderCollector, rootFor, slashed } from "../document-files/folder-files.ts";
import type { Io } from "../io/io.ts";
import { withFound } from "./file-paths.ts";
import { repositoryOf } from "../document-files/ignore-rules.ts";
import type { NamedFile } from "./named-files.ts";
import type { Push } from "./push.ts";

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
      const document = { path: slashed(pathOf(file)), type: body.type, content: source.content };
      return withFound(push, await (await collectorFor(file)).collect(document));
    },
  };
}

/** Without the documents of a folder that are parts of others: they are published as files of those. */
export function withoutParts(pushes: readonly Push[], directory: string): Push[] {
  const pathOf = ({ file }: Push): string => slashed(resolve(directory, file.name));
  const parts = partsAmong(new Map(pushes.flatMap((push) => (push.found ? [[pathOf(push), push.found]] : []))));
  return pushes.filter((push) => push.file.within === null || !parts.has(pathOf(push)));
}
