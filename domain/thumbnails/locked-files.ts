// The files of a document's packages for its screenshot: those that its lock names the packages of, and no others. The
// browser's process asks for them, and a document decides what it asks for.
import type { Database } from "@plinth/db/connection";

import { packagesPath } from "../packages/address.ts";
import { packageLimits } from "../packages/limits.ts";
import type { PackageLock } from "../packages/lock.ts";
import { packageFile } from "../packages/package-file.ts";
import type { PackageFileAt } from "./renderer.ts";

/** Files that a document gets in one capture; a style may name hundreds of fonts. */
const most = 500;

export function lockedFilesAt(db: Database, lock: PackageLock | null): PackageFileAt {
  const packages = new Set(lock?.entries.flatMap(({ files }) => files.map((file) => file.package)));
  let files = 0;
  let bytes = 0;
  return async (path) => {
    const named = namedBy(path);
    if (named === null || !packages.has(named.sha256) || ++files > most) return null;
    const file = await packageFile(db, { ...named, takesZstd: false });
    bytes += file?.bytes.length ?? 0;
    return bytes > packageLimits.documentBytes ? null : file;
  };
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
