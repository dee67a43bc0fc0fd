// Plans an archive that stands for a document with its files: which entry is the document, which go with it and by which
// path, and which do not, by the rules for a folder that is pushed. Pure.
import { filesLimits } from "@plinth/contract/limits";
import { inferType } from "@plinth/contract/publishing/document-type";
import { pathProblem } from "@plinth/contract/publishing/file-path";
import { indexPage } from "@plinth/contract/publishing/file-place";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import { leftOutReasons } from "@plinth/contract/publishing/references/left-out";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { entryProblem, type ZipEntry } from "./zip.ts";

interface TakenEntry {
  readonly path: string;
  readonly entry: ZipEntry;
}

interface NotTakenEntry {
  readonly path: string;
  readonly reason: string;
}

export interface ArchivePlan {
  readonly document: TakenEntry;
  readonly files: readonly TakenEntry[];
  readonly notTaken: readonly NotTakenEntry[];
}

interface Wanted {
  readonly type: ArtifactType;
  /** Where the document is in the archive; without it, its index page. */
  readonly documentPath: string | undefined;
}

/** The plan, or what is wrong with which field. */
export function archivePlan(
  entries: readonly ZipEntry[],
  { type, documentPath }: Wanted,
): ArchivePlan | { readonly field: "archiveSha256" | "documentPath"; readonly message: string } {
  const all = entries.filter(({ name, isFolder }) => !isFolder && !isOfMachine(name));
  const names = new Set(all.map(({ name }) => name));
  if (names.size < all.length)
    return { field: "archiveSha256", message: "is the hash of a zip with two entries of one name" };
  const wanted = documentPath ?? indexPage;
  const folder = [names.has(wanted) ? "" : onlyFolder(all)].find(
    (prefix) => prefix !== null && names.has(prefix + wanted),
  );
  const entry = all.find(({ name }) => folder !== undefined && name === folder + wanted);
  if (folder === undefined || folder === null || entry === undefined)
    return documentPath === undefined
      ? {
          field: "archiveSha256",
          message: `is the hash of a zip without an ${indexPage}; name its document by documentPath`,
        }
      : { field: "documentPath", message: "is no file of the archive" };
  if (inferType(wanted) !== type)
    return documentPath === undefined
      ? { field: "documentPath", message: `is required: ${wanted}, which the archive has, is not ${type}` }
      : { field: "documentPath", message: `is not ${type}` };
  const unreadable = entryProblem(entry);
  if (unreadable !== null)
    return { field: "archiveSha256", message: `has a document that cannot be read: ${unreadable}` };
  const files: TakenEntry[] = [];
  const notTaken: NotTakenEntry[] = [];
  let total = 0;
  for (const one of all.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    if (one === entry) continue;
    const path = one.name.startsWith(folder) ? one.name.slice(folder.length) : one.name;
    const reason =
      nameReason(path) ??
      entryProblem(one) ??
      throughFile(one.name, names) ??
      (one.sizeBytes > filesLimits.fileBytes ? leftOutReasons.size : null) ??
      (files.length >= filesLimits.files ? leftOutReasons.count : null) ??
      (total + one.sizeBytes > filesLimits.versionBytes ? leftOutReasons.total : null);
    if (reason !== null) notTaken.push({ path, reason });
    else {
      total += one.sizeBytes;
      files.push({ path, entry: one });
    }
  }
  return { document: { path: wanted, entry }, files, notTaken };
}

/** What systems and tools add beside the files of a folder. */
const isOfMachine = (name: string): boolean =>
  /^__MACOSX\/|(?:^|\/)(?:\.DS_Store|\.gitignore|\.nojekyll)$|(?:^|\/)\.git\//.test(name);

/** With a slash at its end; null where the entries are not all in one folder. */
function onlyFolder(entries: readonly ZipEntry[]): string | null {
  const [first, ...others] = new Set(entries.map(({ name }) => name.slice(0, name.indexOf("/") + 1)));
  return first === undefined || first === "" || others.length > 0 ? null : first;
}

function nameReason(path: string): string | null {
  const names = path.split("/");
  if (names.some((name) => name.startsWith(".") && name !== "..")) return leftOutReasons.hidden;
  if (names.includes("node_modules")) return leftOutReasons.packages;
  const problem = pathProblem(path);
  if (problem !== null) return `its path ${problem}`;
  return mediaTypeOf(path) === null ? leftOutReasons.type : null;
}

/** A file cannot be the folder of another one. */
function throughFile(name: string, names: ReadonlySet<string>): string | null {
  for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1))
    if (names.has(name.slice(0, at))) return "its path leads through another file";
  return null;
}
