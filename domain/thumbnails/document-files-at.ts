// The files of a document for its screenshot: those beside it, and those of packages that its lock names. The browser's
// process asks for them, and a document decides what it asks for.
import { filesAddress } from "@plinth/contract/frame";
import { mediaTypeOf } from "@plinth/contract/publishing/file-types";
import type { Database } from "@plinth/db/connection";
import { percentDecoded } from "@plinth/platform/malformed";

import { packagesPath } from "../packages/address.ts";
import { packageLimits } from "../packages/limits.ts";
import type { PackageLock } from "../packages/lock.ts";
import { packageFile } from "../packages/package-file.ts";
import type { FileSetRow } from "../access/resource.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";
import { screenshotPath, type FileAt } from "./renderer.ts";

/** Files that a document gets in one capture; a style may name hundreds of fonts. */
const most = 500;

/** The root of the files beside the document that is captured. */
export const filesRoot = filesAddress(screenshotPath);

export function documentFilesAt(db: Database, lock: PackageLock | null, set: FileSetRow | null): FileAt {
  const packages = new Set(
    lock?.entries.flatMap(({ files, companions = [] }) => [...files, ...companions].map((file) => file.package)),
  );
  const find = (path: string): ReturnType<FileAt> | null => {
    if (path.startsWith(filesRoot))
      return set && fileOfSet(db, set, percentDecoded(path.slice(filesRoot.length)) ?? "");
    const named = namedBy(path);
    if (named === null || !packages.has(named.sha256)) return null;
    return packageFile(db, { ...named, takesZstd: false });
  };
  let files = 0;
  let bytes = 0;
  return async (path) => {
    const found = find(path);
    if (found === null || ++files > most) return null;
    const file = await found;
    bytes += file?.bytes.length ?? 0;
    return bytes > packageLimits.documentBytes ? null : file;
  };
}

const fileStatement = `
SELECT ${storedContent} AS data FROM file_set_file f JOIN content c ON c.sha256 = f.sha256 WHERE f.file_set_id = $1 AND f.path = $2`;

async function fileOfSet(db: Database, { fileSetId }: FileSetRow, path: string): ReturnType<FileAt> {
  const [row] = await db.run<{ data: Uint8Array }>(fileStatement, [fileSetId, path]);
  if (row === undefined) return null;
  const headers = {
    "content-type": mediaTypeOf(path) ?? "application/octet-stream",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  };
  return { bytes: await contentBytes(db, row.data), headers };
}

function namedBy(path: string): { sha256: string; path: string } | null {
  if (!path.startsWith(packagesPath)) return null;
  try {
    const [sha256 = "", ...segments] = path.slice(packagesPath.length).split("/").map(decodeURIComponent);
    return { sha256, path: segments.join("/") };
  } catch {
    return null;
  }
}
