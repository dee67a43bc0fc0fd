// Files beside an index page that no document names: a report may build their names in its scripts, so the push says that
// they stay behind.
import { realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";

import { indexPage } from "@plinth/contract/publishing/file-place";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import type { NotTakenFile } from "@plinth/contract/publishing/references/collect";
import { leftOutReasons } from "@plinth/contract/publishing/references/left-out";
import { pathFrom } from "@plinth/contract/publishing/references/paths";

import { allFilesIn } from "../document-files/all-files.ts";
import { slashed } from "../document-files/folder-files.ts";
import { repositoryOf } from "../document-files/ignore-rules.ts";
import { Failure } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import type { Push } from "./push.ts";

type Place = Pick<Io, "directory" | "env">;

/** The pushes, those of index pages with the files of their folders that are neither documents nor files of any. */
export async function withUnnamed(pushes: readonly Push[], { directory, env }: Place): Promise<Push[]> {
  if (!pushes.some(isOfIndexPage)) return [...pushes];
  const paths = pushes.flatMap(({ file }) => (file.name === "-" ? [] : [resolve(directory, file.name)]));
  const taken = new Set(
    [
      ...(await Promise.all(paths.map((path) => realpath(path)))),
      ...pushes.flatMap(({ found }) => (found?.files ?? []).map(({ place }) => place)),
    ].map(slashed),
  );
  return Promise.all(
    pushes.map(async (push) => {
      if (push.found === undefined || !isOfIndexPage(push)) return push;
      const notTaken = await unnamedBeside(resolve(directory, push.file.name), taken, env);
      return { ...push, found: { ...push.found, notTaken } };
    }),
  );
}

/** One that was named, or that of a folder whose documents are pushed one by one. */
const isOfIndexPage = ({ file: { name, within, whole } }: Push): boolean =>
  whole === undefined && (within?.path ?? basename(name)) === indexPage;

/** None of a folder that is a repository, or has too many. */
async function unnamedBeside(path: string, taken: ReadonlySet<string>, env: Io["env"]): Promise<NotTakenFile[]> {
  const folder = dirname(path);
  if (repositoryOf(folder) === folder) return [];
  const listed = await allFilesIn(folder, basename(path), env).catch((error: unknown) => {
    if (error instanceof Failure) return null;
    throw error;
  });
  if (listed === null || listed.isCut) return [];
  const root = slashed(await realpath(folder));
  return listed.files
    .filter((file) => mediaTypeOf(file) !== null)
    .map((file) => pathFrom(slashed(folder), slashed(file)))
    .filter((below) => !taken.has(`${root}/${below}`))
    .map((below) => ({ path: below, reason: leftOutReasons.unnamed }));
}
