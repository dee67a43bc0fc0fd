// The job that writes the lock of an html or jsx version: finds what it loads, has the packages fetched and kept, and records
// what each URL stands for. Publishing never waits for it.
import { encodedPath } from "@plinth/contract/publishing/file-path";
import { encodeId } from "@plinth/contract/ids";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { Config } from "../config.ts";
import { compiledJsx } from "../content/compiled-jsx.ts";
import { filesImportedBy } from "../content/importable-files.ts";
import { referencesOfFiles } from "../content/referring-files.ts";
import { rendered } from "../content/renderings.ts";
import { requestLocks } from "../content/request-locks.ts";
import { backgroundWork } from "../content/work.ts";
import { jsxReferences } from "../packages/find/jsx-references.ts";
import { findLock, saveLock, type PackageLock, type VersionKey } from "../packages/lock.ts";
import { entriesInOrder, missingFiles, openReferences } from "../packages/merge-locks.ts";
import type { Reference } from "../packages/reference.ts";
import { resolvePackages } from "../packages/resolve.ts";
import { endTurn, packagesKey } from "../queue/turns-of-workspaces.ts";
import { rendererVersion } from "../render/version.ts";
import { storedContent } from "../storage/object-name.ts";
import { textOf, unpack } from "../storage/pack.ts";
import { contentBytes } from "../storage/stored-content.ts";
import { expireScreenshot } from "../thumbnails/expire.ts";
import type { ThumbnailRenderer } from "../thumbnails/renderer.ts";
import { requestScreenshots } from "../thumbnails/request.ts";
import { bundleFor, relativePathsFor } from "../threads/bounded-tasks.ts";

interface LockHost {
  readonly db: Database;
  readonly config: Pick<Config, "packageRegistry">;
  /** Captures documents once their packages are there; null where no browser was found. */
  readonly renderer: Pick<ThumbnailRenderer, "version"> | null;
}

/** Ends in LIMIT 1, so that each is looked up by index, for any sizes of the tables. */
const headsStatement = `
SELECT h.*
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT a.artifact_id, a.latest_version, (
    SELECT r.data FROM rendering r
    WHERE r.sha256 = v.sha256 AND r.type = 'jsx' AND a.type = 'jsx'
      AND r.renderer IN ($2, $2 || '-' || (SELECT encode(s.sha256, 'hex') FROM file_set s WHERE s.file_set_id = v.file_set))
    ORDER BY length(r.renderer) DESC LIMIT 1
  ) AS compiled
  FROM artifact a
  JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
  WHERE a.artifact_id = ids.id::uuid AND a.deleted_at IS NULL AND a.type IN ('html', 'jsx') AND NOT EXISTS (
    SELECT FROM package_lock l WHERE l.artifact_id = a.artifact_id AND l.version_number = a.latest_version)
  LIMIT 1
) h ON true`;

interface Head {
  readonly artifact_id: string;
  readonly latest_version: number;
  /** Null of html, and of jsx that was compiled by another version: its first reader asks for the lock. */
  readonly compiled: Uint8Array | null;
}

/** Has the locks written of html heads and of jsx heads that import packages, where they have none. */
export async function askForLocks(db: Database, artifactIds: readonly string[]): Promise<void> {
  const ids = JSON.stringify(artifactIds.map((artifactId) => uuidOf("art", artifactId)));
  const heads = await db.run<Head>(headsStatement, [ids, rendererVersion.jsx]);
  const loading: VersionKey[] = [];
  for (const { artifact_id, latest_version, compiled } of heads) {
    if (compiled !== null && compiledJsx(textOf(await unpack(compiled))).packages.length === 0) continue;
    loading.push({ artifactId: encodeId("art", artifact_id), versionNumber: latest_version });
  }
  await requestLocks(db, loading);
}

interface Source {
  readonly sha256: string;
  readonly data: Uint8Array;
  readonly type: "html" | "jsx";
  readonly workspace_id: string;
  readonly created_by: Actor;
  readonly restored_from: number | null;
  readonly file_set: string | null;
  /** Of the list of files, hex. */
  readonly files_sha256: string | null;
  /** The directory of the document among the files beside it; null where there are none. */
  readonly base: string | null;
  readonly paths: readonly string[];
}

const sourceStatement = `
SELECT encode(v.sha256, 'hex') AS sha256, ${storedContent} AS data, a.type, a.workspace_id, v.created_by, v.restored_from,
  v.file_set, encode(s.sha256, 'hex') AS files_sha256, s.base, (SELECT coalesce(json_agg(f.path), '[]') FROM file_set_file f WHERE f.file_set_id = v.file_set) AS paths
FROM version v
JOIN artifact a ON a.artifact_id = v.artifact_id
JOIN content c ON c.sha256 = v.sha256
LEFT JOIN file_set s ON s.file_set_id = v.file_set
WHERE v.artifact_id = $1 AND v.version_number = $2 AND v.pruned_at IS NULL AND a.deleted_at IS NULL
  AND a.type IN ('html', 'jsx')`;

/** @throws Error where something is missing that another attempt may get: what is there is written all the same */
export async function lockPackages(host: LockHost, key: VersionKey, isLastTry: boolean): Promise<void> {
  let isOver = isLastTry;
  try {
    await writeLock(host, key);
    isOver = true;
  } finally {
    if (isOver) {
      await endTurn(host.db, packagesKey(key.artifactId, key.versionNumber));
      await captureWithPackages(host, key);
    }
  }
}

/** The screenshot waited for the lock, or was taken with an earlier one. */
async function captureWithPackages({ db, renderer }: LockHost, key: VersionKey): Promise<void> {
  if (renderer === null) return;
  const lock = await findLock(db, key);
  if (lock?.entries.some(({ files }) => files.length > 0) === true) await expireScreenshot(db, key);
  await requestScreenshots(db, [key.artifactId], renderer.version);
}

async function writeLock(host: LockHost, key: VersionKey): Promise<void> {
  const { db } = host;
  const earlier = await findLock(db, key);
  if (earlier?.isComplete === true) return;
  const [source] = await db.run<Source>(sourceStatement, [uuidOf("art", key.artifactId), key.versionNumber]);
  if (source === undefined) return;
  const lock = (await restoredLock(db, key, source)) ?? (await newLock(host, key, source, earlier));
  await saveLock(db, key, lock);
  if (!lock.isComplete) throw new Error("Packages of a document could not be fetched");
}

/** A restored version is what it was, its packages included. */
async function restoredLock(db: Database, { artifactId }: VersionKey, { restored_from }: Source) {
  const lock = restored_from === null ? null : await findLock(db, { artifactId, versionNumber: restored_from });
  return lock?.isComplete === true ? lock : null;
}

/** Whether the version has the file that a relative URL of the document names. */
function isBeside({ url, use }: Reference, { base, paths }: Source): boolean {
  if (use !== "file" || base === null) return false;
  const root = "http://files.invalid/";
  const { pathname } = new URL(encodedPath(url), root + base);
  return paths.includes(decodeURIComponent(pathname.slice(1)));
}

function besideOf({ type, file_set: fileSetId, files_sha256: sha256, base }: Source, bytes: Uint8Array) {
  const set = fileSetId === null ? null : { fileSetId, sha256: sha256 ?? "", base: base ?? "" };
  return filesImportedBy(type, bytes, set);
}

async function newLock(
  { db, config: { packageRegistry } }: LockHost,
  key: VersionKey,
  source: Source,
  earlier: PackageLock | null,
): Promise<PackageLock> {
  const work = backgroundWork(encodeId("wsp", source.workspace_id), source.created_by);
  const { sha256, type } = source;
  const bytes = await contentBytes(db, source.data);
  const { text } = await rendered(db, { sha256, type, name: type, beside: besideOf(source, bytes) }, bytes, work);
  const references = [
    ...(type === "html" ? (JSON.parse(text) as Reference[]) : jsxReferences(compiledJsx(text).packages)),
    ...(type === "html" && source.file_set !== null ? await referencesOfFiles(db, key, work) : []),
  ];
  const registry = packageRegistry === null ? null : { url: packageRegistry };
  const inThreads = { relativePathsOf: relativePathsFor(work), bundle: bundleFor(work) };
  const open = earlier === null ? references : openReferences(references, earlier);
  const made = await resolvePackages({ db, registry, ...inThreads, besideRuntime: type === "jsx" }, open);
  return {
    ...made,
    entries: [
      ...entriesInOrder(references, made, earlier),
      ...missingFiles(references.filter((reference) => !isBeside(reference, source))),
    ],
  };
}
