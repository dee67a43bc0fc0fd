// Pages, style sheets and scripts beside an html document: what they load of packages is in the lock of the version, and
// they are served with kept files in place of the URLs.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { LoadedFile } from "../access/resource.ts";
import { edited, packageEdits } from "../packages/rewrite.ts";
import type { Reference } from "../packages/reference.ts";
import { storedContent } from "../storage/object-name.ts";
import { textOf } from "../storage/pack.ts";
import { contentBytes } from "../storage/stored-content.ts";
import type { Work } from "../threads/fair-queue.ts";
import { isBusy } from "../threads/thread-errors.ts";
import type { ReferringKind } from "../threads/tasks.ts";
import { loadsPackages, versionLock } from "./package-documents.ts";
import { rendered } from "./renderings.ts";

/** Bytes of a file; a larger one is a library by itself. */
const fileBytesMax = 1024 * 1024;
/** Files of one version, the smallest first. */
const filesMax = 100;

/** What a file is by its path; null for one that loads nothing. */
export function referringKind(path: string): ReferringKind | null {
  const [, ending = ""] = /\.(html?|css|m?js)$/i.exec(path) ?? [];
  if (ending === "") return null;
  return /^html?$/i.test(ending) ? "html" : /^css$/i.test(ending) ? "css" : "js";
}

const filesStatement = `
SELECT f.path, encode(f.sha256, 'hex') AS sha256, ${storedContent} AS data
FROM version v
JOIN file_set_file f ON f.file_set_id = v.file_set
JOIN content c ON c.sha256 = f.sha256
WHERE v.artifact_id = $1 AND v.version_number = $2 AND f.path ~* '\\.(html?|css|m?js)$' AND c.size_bytes <= ${fileBytesMax}
ORDER BY c.size_bytes, f.path
LIMIT ${filesMax}`;

/** What the files beside a version load, without their places. @throws busy */
export async function referencesOfFiles(
  db: Database,
  { artifactId, versionNumber }: { readonly artifactId: string; readonly versionNumber: number },
  work: Work,
): Promise<Reference[]> {
  const files = await db.run<{ path: string; sha256: string; data: Uint8Array }>(filesStatement, [
    uuidOf("art", artifactId),
    versionNumber,
  ]);
  const found: Reference[] = [];
  for (const { path, sha256, data } of files)
    for (const { url, use } of await placesIn(db, { path, sha256, bytes: await contentBytes(db, data) }, work))
      if (use !== "file") found.push({ url, use, place: null });
  return found;
}

interface ReferringFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

async function placesIn(db: Database, { path, sha256, bytes }: ReferringFile, work: Work): Promise<Reference[]> {
  const name = referringKind(path);
  if (name === null || bytes.length > fileBytesMax) return [];
  const { text } = await rendered(db, { sha256, type: "html", name }, bytes, work);
  return JSON.parse(text) as Reference[];
}

/** The text of a file with kept files in place of the URLs that the version's lock knows; null where it stays as it is. */
export async function withKeptPackages(
  db: Database,
  { artifact, version: { versionNumber }, file: { path, sha256, bytes } }: LoadedFile,
): Promise<string | null> {
  const { artifactId, workspaceId, type } = artifact;
  if (bytes === null || type !== "html" || referringKind(path) === null) return null;
  const lock = await versionLock(db, { artifactId, versionNumber });
  if (lock === null || !loadsPackages(lock)) return null;
  const work: Work = { owner: workspaceId, account: workspaceId, priority: "request" };
  const references = await placesIn(db, { path, sha256, bytes }, work).catch(unlessBusy);
  const edits = packageEdits(textOf(bytes), references, lock);
  return edits.length === 0 ? null : edited(textOf(bytes), edits);
}

/** On a busy instance a file is sent as it is, and its packages are blocked: the document itself is there. */
function unlessBusy(error: unknown): Reference[] {
  if (isBusy(error)) return [];
  throw error;
}
