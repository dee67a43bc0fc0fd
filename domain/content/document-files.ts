// The files beside a version, as its document needs them: where they are served, and which there are.
import { indexDirectory } from "@plinth/contract/publishing/file-place";
import type { Database } from "@plinth/db/connection";
import { createCache } from "@plinth/platform/caches";

import type { FileSetRow, LoadedVersion } from "../access/resource.ts";
import type { DocumentFiles } from "../render/document/relative-links.ts";

/** Sets never change. A path has at most 255 bytes, a set at most 500. */
const recent = createCache<ReadonlySet<string>>("fileSets", {
  sizeCalculation: (paths) => [...paths].reduce((sum, path) => sum + path.length, 64),
});

/** The files of a version of this artifact, of which an html document can be the index page. */
export const filesOfVersion = (
  db: Database,
  { artifact: { type, sourcePath }, version: { files } }: Pick<LoadedVersion, "artifact" | "version">,
  url: string,
): Promise<DocumentFiles | null> =>
  documentFiles(db, files, url, files && indexDirectory(type, sourcePath, files.base));

/** Null where there are no files. `url` is the address of their root, with a slash at its end. */
export async function documentFiles(
  db: Database,
  set: Pick<FileSetRow, "fileSetId" | "base"> | null,
  url: string,
  index: string | null = null,
): Promise<DocumentFiles | null> {
  if (set === null) return null;
  const known = recent.get(set.fileSetId);
  const paths = known ?? (await readPaths(db, set.fileSetId));
  if (known === undefined) recent.set(set.fileSetId, paths);
  return { url, base: set.base, paths, index };
}

async function readPaths(db: Database, fileSetId: string): Promise<ReadonlySet<string>> {
  const rows = await db.run<{ path: string }>("SELECT path FROM file_set_file WHERE file_set_id = $1", [fileSetId]);
  return new Set(rows.map(({ path }) => path));
}
