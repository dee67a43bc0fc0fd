// The files and links of each document of a push. Only documents of a folder or a file have any: standard input has no place.
import { dirname, resolve } from "node:path";

import { createCollector, rootFor, type Collector } from "../document-files/collect.ts";
import type { Io } from "../io/io.ts";
import { withFound } from "./file-paths.ts";
import { repositoryOf } from "./ignore-rules.ts";
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
    const made = createCollector({ root: top, folder, pushed, env });
    collectors.set(folder, made);
    return made;
  }
  return {
    async withFiles(push) {
      const { file, body, source } = push;
      if (file.name === "-") return push;
      const document = { path: pathOf(file), type: body.type, content: source.content };
      return withFound(push, await (await collectorFor(file)).collect(document));
    },
  };
}

/** Without the modules of a folder that other documents of it import: they are published as files of those. */
export function withoutParts(pushes: readonly Push[], directory: string): Push[] {
  const importsOf = new Map(pushes.map(({ file, found }) => [resolve(directory, file.name), found?.imports]));
  const isPart = (path: string): boolean =>
    [...importsOf].some(
      ([other, imports]) => other !== path && imports?.has(path) === true && importsOf.get(path)?.has(other) !== true,
    );
  return pushes.filter(({ file }) => file.within === null || !isPart(resolve(directory, file.name)));
}
