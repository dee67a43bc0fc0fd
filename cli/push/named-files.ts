// From the words of the line to the files they stand for: a folder with an index page is that page, another one is taken
// apart. Reads no content.
import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";

import { titleLength } from "@plinth/contract/limits";
import { indexPage } from "@plinth/contract/publishing/file-place";

import { isCode } from "../failure/system-error.ts";
import { usage } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import { publishableIn } from "./folder.ts";
import { repositoryOf } from "../document-files/ignore-rules.ts";

export interface NamedFile {
  /** As it is shown, and opened against the working directory; `-` for standard input. */
  readonly name: string;
  /** The folder it was found in, as given, and its path there with `/`; null where it was named itself. */
  readonly within: { readonly folder: string; readonly path: string } | null;
  /** Where all files of its folder go with it. `title` is the folder's name where the folder was named, else null. */
  readonly whole?: { readonly title: string | null };
}

export interface Naming {
  /** Each document of a folder by itself, with those of the folders in it. */
  readonly recursive: boolean;
  /** Every document is one with all files of its folder. */
  readonly allFiles: boolean;
}

/** The files in the order of the line, those of a folder sorted. @throws Failure usage */
export async function namedFiles(
  words: readonly string[],
  { directory, env }: Pick<Io, "directory" | "env">,
  { recursive, allFiles }: Naming,
): Promise<[NamedFile, ...NamedFile[]]> {
  if (allFiles && recursive)
    throw usage("--all-files and -r exclude each other", {
      hint: "With -r each document of a folder is published by itself",
    });
  if (allFiles && words.includes("-")) throw usage("--all-files needs a file or a folder, not standard input");
  const files: NamedFile[] = [];
  for (const word of words) {
    const folder = resolve(directory, word);
    if (word !== "-") await requireInside(folder, word);
    if (word === "-" || !(await isFolder(folder, word)))
      files.push({ name: word, within: null, ...(allFiles && { whole: { title: null } }) });
    else if (!recursive && (await hasIndexPage(folder))) {
      const name = join(word, indexPage);
      await requireInside(join(folder, indexPage), name);
      files.push({ name, within: null, whole: { title: titleOf(folder) } });
    } else if (allFiles)
      throw usage(`${word} has no ${indexPage}`, { hint: "Name the document itself, with --all-files" });
    else
      for (const path of await publishableIn(folder, word, recursive, env))
        files.push({ name: join(word, path), within: { folder: word, path } });
  }
  const [first, ...others] = files;
  if (first === undefined)
    throw usage("push needs a file", {
      hint: "Name one, a folder, or - for standard input with --type",
      next: "plinth push --help",
    });
  const places = new Set<string>();
  for (const { name } of files) {
    const place = name === "-" ? name : resolve(directory, name);
    if (places.has(place)) throw usage(`${name} is given twice`);
    places.add(place);
  }
  return [first, ...others];
}

/** A checkout may hold a link to any other file of the user: naming the link is no consent to publish that. @throws Failure usage */
async function requireInside(path: string, word: string): Promise<void> {
  const repository = repositoryOf(dirname(path));
  if (repository === null || !existsSync(path)) return;
  const [root, place] = await Promise.all([realpath(repository), realpath(path)]);
  if (place === root || place.startsWith(`${root}${sep}`)) return;
  throw usage(`${word} is a link that leads out of the repository; nothing was sent`, {
    hint: "Name what it leads to by its own path, if that is to be published",
  });
}

/** Null for the root of a disk, which has no name. */
const titleOf = (folder: string): string | null => Array.from(basename(folder)).slice(0, titleLength).join("") || null;

const hasIndexPage = (folder: string): Promise<boolean> =>
  stat(join(folder, indexPage)).then(
    (found) => found.isFile(),
    () => false,
  );

async function isFolder(path: string, word: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isCode(error, "ENOENT")) throw usage(`${word} does not exist`, { cause: error });
    // Reading it says what is wrong with it.
    return false;
  }
}
