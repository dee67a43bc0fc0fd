// Where the documents and files of a project go in a folder: at their source paths, else by slug, each with its files at the
// paths that it refers to them by. Pure.
import { directoryOf, formProblem, nameProblem } from "@plinth/contract/publishing/file-path";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { VersionFile, VersionFiles } from "@plinth/contract/schemas/file";

// Rejects paths of a project that are unsafe to write below a local folder. The project can belong to another person,
// and its paths could lead out of the folder, into hidden files, or over each other.

/** Why nothing is written to a relative path; null where it can be written. */
export function unsafeReason(path: string, platform: NodeJS.Platform): string | null {
  const problem = formProblem(path) ?? (platform === "win32" ? nameProblem(path) : null);
  if (problem !== null) return `its path ${problem}`;
  const parts = path.split("/");
  if (parts.some((part) => part.startsWith("."))) return "it would be hidden";
  if (parts.some((part) => part.toLowerCase() === "node_modules")) return "it would be in node_modules";
  if (platform !== "win32") return null;
  return parts.some((part) => /[<>"|?*]/.test(part)) ? "Windows has no such names" : null;
}

/** The name that the file system compares. */
const comparedPath = (path: string, platform: NodeJS.Platform): string =>
  platform === "linux" ? path : path.normalize("NFC").toLowerCase();

/** An artifact with its latest version. */
export interface Published {
  readonly artifact: Artifact;
  readonly versionNumber: number;
  readonly sha256: string;
  readonly files: Pick<VersionFiles, "base" | "files"> | null;
}

export interface Entry {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly sha256: string;
  readonly artifact: Artifact;
  readonly versionNumber: number;
  /** Its path among the files of the version; null for the document itself. */
  readonly filePath: string | null;
}

export interface Refused {
  readonly path: string;
  readonly reason: string;
}

export interface Layout {
  readonly entries: readonly Entry[];
  readonly refused: readonly Refused[];
}

export function layOut(all: readonly Published[], platform: NodeJS.Platform): Layout {
  const entries = new Map<string, Entry>();
  const refused: Refused[] = [];
  const folders = new Map<string, string>();
  for (const entry of all.flatMap(entriesOf)) {
    const { path } = entry;
    const compared = comparedPath(path, platform);
    const other = entries.get(compared);
    if (other !== undefined && other.path === path && other.sha256 === entry.sha256) continue;
    const reason =
      unsafeReason(path, platform) ??
      (other === undefined ? null : `${other.path} of ${other.artifact.slug} has the same place`) ??
      folderReason(compared, entries, folders);
    if (reason !== null) {
      refused.push({ path, reason });
      continue;
    }
    entries.set(compared, entry);
    for (const folder of foldersOf(compared)) folders.set(folder, path);
  }
  return { entries: [...entries.values()], refused };
}

/** A file cannot be where another has a folder, nor the other way round. */
function folderReason(
  path: string,
  entries: ReadonlyMap<string, Entry>,
  folders: ReadonlyMap<string, string>,
): string | null {
  const below = folders.get(path);
  if (below !== undefined) return `${below} has a folder of this name`;
  const file = foldersOf(path).find((folder) => entries.has(folder));
  return file === undefined ? null : `${file} is a file`;
}

const foldersOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_part, place, parts) => parts.slice(0, place + 1).join("/"));

const extensions: Readonly<Record<ArtifactType, string>> = { md: ".md", html: ".html", jsx: ".jsx" };

function entriesOf({ artifact, versionNumber, sha256, files }: Published): Entry[] {
  const path = documentPath(artifact, files);
  const document: Entry = { path, sha256, artifact, versionNumber, filePath: null };
  if (files === null) return [document];
  const place = placeOfFiles(directoryOf(path), files.base);
  return [
    document,
    ...files.files.map((file: VersionFile): Entry => ({
      path: place(file.path),
      sha256: file.sha256,
      artifact,
      versionNumber,
      filePath: file.path,
    })),
  ];
}

/** Without a source path, a document that has files gets a folder, so that its files are not those of another document. */
function documentPath({ sourcePath, slug, type }: Artifact, files: Published["files"]): string {
  if (sourcePath) return sourcePath;
  const name = `${slug}${extensions[type]}`;
  return files === null || files.files.length === 0 ? name : `${slug}/${files.base}${name}`;
}

/** Files keep their place relative to the document, whose folder is `base` among them. */
function placeOfFiles(folder: string, base: string): (path: string) => string {
  if (folder.endsWith(base)) return (path) => folder.slice(0, folder.length - base.length) + path;
  // The files begin above the folder that was published: those in it are written, the others have no place.
  if (base.endsWith(folder)) {
    const above = base.slice(0, base.length - folder.length);
    return (path) => (path.startsWith(above) ? path.slice(above.length) : `../${path}`);
  }
  return (path) => (path.startsWith(base) ? folder + path.slice(base.length) : `../${path}`);
}
