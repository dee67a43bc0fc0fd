// Remembers which local file each artifact was last published from, so that another file with the same title does not
// replace it (docs/reference/contract.md §7). Holds no content and no secret.
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

import { digestOf } from "../files/digest.ts";
import { withFileLock } from "../files/file-lock.ts";
import { replaceFile } from "../files/replace-file.ts";
import { stateDirectory } from "../files/user-directories.ts";
import type { Io } from "../io/io.ts";
import { repositoryOf } from "../document-files/ignore-rules.ts";

/** The URL of its remote `origin`, else the folder that git keeps it in. `root` is the folder with `.git`. */
function repositoryIdentity(root: string): string {
  const folder = commonFolder(join(root, ".git"), root);
  const config = join(folder, "config");
  const section = existsSync(config)
    ? /^\[remote "origin"\]\n((?:[^[\n].*\n?)*)/m.exec(readFileSync(config, "utf8"))
    : null;
  return /^\s*url\s*=\s*(\S+)/m.exec(section?.[1] ?? "")?.[1] ?? folder;
}

/** A work tree has a file there that leads to its own folder, and that one to the folder of the clone. */
function commonFolder(git: string, root: string): string {
  if (statSync(git).isDirectory()) return git;
  const own = /^gitdir:\s*(.+)$/m.exec(readFileSync(git, "utf8"))?.[1];
  if (own === undefined) return git;
  const folder = resolve(root, own);
  const common = join(folder, "commondir");
  return existsSync(common) ? resolve(folder, readFileSync(common, "utf8").trim()) : folder;
}

export interface PublishedFiles {
  /** The other file that owns the artifact, as it is shown; null where none is known, or it is gone. */
  otherFileOf(artifactId: string, name: string): string | null;
  remember(artifactId: string, name: string): void;
  /** Without a writable place nothing is kept. */
  save(): Promise<void>;
}

interface LocalFile {
  readonly path: string;
  /** The repository that it is in, and its path there: another checkout has the same file. */
  readonly repository?: string;
  readonly inRepository?: string;
}

/** Artifacts; the oldest are forgotten first. */
const mostKept = 20_000;

/** `warn` receives the reason where nothing can be remembered. */
export function publishedFiles(
  { env, directory }: Pick<Io, "env" | "directory">,
  origin: string,
  warn: (message: string) => void,
): PublishedFiles {
  const file = join(stateDirectory(env), "published", `${digestOf(origin).sha256.slice(0, 32)}.json`);
  const added = new Map<string, LocalFile>();
  const identities = new Map<string, string>();
  let known: Map<string, LocalFile> | null = null;

  const identityOf = (root: string): string => {
    const identity = identities.get(root) ?? repositoryIdentity(root);
    identities.set(root, identity);
    return identity;
  };
  function localFile(name: string): LocalFile {
    const path = realPath(resolve(directory, name));
    const root = repositoryOf(dirname(path));
    if (root === null) return { path };
    return { path, repository: identityOf(root), inRepository: relative(root, path).split(sep).join("/") };
  }
  const readKnown = (): Map<string, LocalFile> => {
    try {
      return read(file);
    } catch (error) {
      fail(error);
      return new Map();
    }
  };
  const fail = (error: unknown): void =>
    warn(`Published files are not remembered: ${error instanceof Error ? error.message : String(error)}`);

  return {
    otherFileOf(artifactId, name) {
      known ??= readKnown();
      const owner = added.get(artifactId) ?? known.get(artifactId);
      if (owner === undefined || name === "-" || !existsSync(owner.path)) return null;
      const file = localFile(name);
      const isSame =
        owner.path === file.path ||
        (owner.repository !== undefined &&
          owner.repository === file.repository &&
          owner.inRepository === file.inRepository);
      if (isSame) return null;
      const shown = relative(realPath(directory), owner.path);
      return shown.startsWith("..") ? owner.path : shown;
    },
    remember(artifactId, name) {
      if (name !== "-") added.set(artifactId, localFile(name));
    },
    async save() {
      known ??= readKnown();
      const isNew = ([artifactId, { path }]: [string, LocalFile]) => known?.get(artifactId)?.path !== path;
      if (![...added].some(isNew)) return;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        await withFileLock(`${file}.lock`, async (lock) => {
          const all = [...readKnown(), ...added].slice(-mostKept);
          await lock.assertHeld();
          await replaceFile(file, Object.fromEntries(all));
        });
      } catch (error) {
        fail(error);
      }
    },
  };
}

/** Links lead to the file itself. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** @throws SyntaxError, Error of the system */
function read(file: string): Map<string, LocalFile> {
  if (!existsSync(file)) return new Map();
  const found = JSON.parse(readFileSync(file, "utf8")) as Record<string, Partial<LocalFile> | null>;
  return new Map(
    Object.entries(found).flatMap(([artifactId, one]) =>
      typeof one?.path === "string" ? [[artifactId, one as LocalFile] as const] : [],
    ),
  );
}
