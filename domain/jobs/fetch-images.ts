// The job that writes the image lock of a version: finds the images of other sites that it shows, has them fetched and
// kept, and records what each URL stands for. Publishing never waits for it.
import { encodeId } from "@plinth/contract/ids";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { Config } from "../config.ts";
import { ownOriginsOf } from "../content/framed-document.ts";
import { rendered } from "../content/renderings.ts";
import { requestImages } from "../content/request-locks.ts";
import { backgroundWork } from "../content/work.ts";
import type { FetchUrl } from "../images/fetch-image.ts";
import { earlierEntries, findImageLock, saveImageLock, type ImageEntry, type ImageLock } from "../images/lock.ts";
import { mayPass } from "../images/problem.ts";
import { urlsOf, type ImageReference } from "../images/reference.ts";
import { isSettled, resolveImages } from "../images/resolve.ts";
import type { VersionKey } from "../packages/lock.ts";
import { endLostTurns, endTurn, imagesKey } from "../queue/turns-of-workspaces.ts";
import { remoteImages } from "../render/document/remote-images.ts";
import { storedContent } from "../storage/object-name.ts";
import { contentBytes } from "../storage/stored-content.ts";

export interface ImageHost {
  readonly db: Database;
  readonly config: Pick<Config, "remoteImages" | "secret" | "publicUrl" | "contentOrigin">;
  /** How URLs are fetched in tests; the guarded fetcher elsewhere. */
  readonly fetchUrl?: FetchUrl | undefined;
}

/** Ends in LIMIT 1, so that each is looked up by index, for any sizes of the tables. */
const headsStatement = `
SELECT h.*
FROM json_array_elements_text($1::text::json) AS ids(id)
JOIN LATERAL (
  SELECT a.artifact_id, a.latest_version FROM artifact a
  WHERE a.artifact_id = ids.id::uuid AND a.deleted_at IS NULL AND a.type = 'html' AND NOT EXISTS (
    SELECT FROM image_lock l WHERE l.artifact_id = a.artifact_id AND l.version_number = a.latest_version)
  LIMIT 1
) h ON true`;

/** Has the image locks of html heads written that have none; those of markdown follow their rendering (render-heads.ts). */
export async function askForImageLocks(db: Database, artifactIds: readonly string[]): Promise<void> {
  const ids = JSON.stringify(artifactIds.map((artifactId) => uuidOf("art", artifactId)));
  const heads = await db.run<{ artifact_id: string; latest_version: number }>(headsStatement, [ids]);
  await requestImages(
    db,
    heads.map((head) => ({ artifactId: encodeId("art", head.artifact_id), versionNumber: head.latest_version })),
  );
}

/** Asks again for the images of jobs that the queue has lost. */
export async function requestLostImages(db: Database): Promise<void> {
  const lost = await endLostTurns(db, "images");
  await requestImages(
    db,
    lost.map(({ payload }) => payload as unknown as VersionKey),
  );
}

interface Source {
  readonly sha256: string;
  readonly data: Uint8Array;
  readonly type: ArtifactType;
  readonly workspace_id: string;
  readonly created_by: Actor;
  readonly restored_from: number | null;
}

const sourceStatement = `
SELECT encode(v.sha256, 'hex') AS sha256, ${storedContent} AS data, a.type, a.workspace_id, v.created_by, v.restored_from
FROM version v
JOIN artifact a ON a.artifact_id = v.artifact_id
JOIN content c ON c.sha256 = v.sha256
WHERE v.artifact_id = $1 AND v.version_number = $2 AND v.pruned_at IS NULL AND a.deleted_at IS NULL
  AND a.type IN ('md', 'html')`;

/**
 * Does nothing where remote images are off. After the last try a lock is complete, also where something is missing.
 * @throws Error where something is missing that another attempt may get: what is there is written all the same
 */
export async function fetchImages(host: ImageHost, key: VersionKey, isLastTry: boolean): Promise<void> {
  let isOver = isLastTry;
  try {
    await writeImageLock(host, key, isLastTry);
    isOver = true;
  } finally {
    if (isOver) await endTurn(host.db, imagesKey(key.artifactId, key.versionNumber));
  }
}

async function writeImageLock(host: ImageHost, key: VersionKey, isLastTry: boolean): Promise<void> {
  const { db } = host;
  if (!host.config.remoteImages) return;
  const before = await findImageLock(db, key);
  if (before?.isComplete === true) return;
  const [source] = await db.run<Source>(sourceStatement, [uuidOf("art", key.artifactId), key.versionNumber]);
  if (source === undefined) return;
  const lock = (await restoredLock(db, key, source)) ?? (await newLock(host, key, source, before));
  if (lock === null) return;
  const isComplete = lock.isComplete || isLastTry;
  await saveImageLock(db, key, { ...lock, isComplete });
  if (!isComplete) throw new Error("Images of a document could not be fetched");
}

/** A restored version is what it was, its images included. */
async function restoredLock(db: Database, { artifactId }: VersionKey, { restored_from }: Source) {
  const lock = restored_from === null ? null : await findImageLock(db, { artifactId, versionNumber: restored_from });
  return lock?.isComplete === true ? lock : null;
}

/** Null where the document was not read. */
async function newLock(
  { db, config, fetchUrl }: ImageHost,
  key: VersionKey,
  source: Source,
  before: ImageLock | null,
): Promise<ImageLock | null> {
  const urls = await urlsIn(db, source, ownOriginsOf(config));
  if (urls === null) return null;
  const settled = (entry: ImageEntry): boolean => entry.missing === null || !mayPass(entry.missing.code);
  const earlier = urls.length === 0 ? [] : await earlierEntries(db, key);
  const known = [...earlier.filter(({ image }) => image !== null), ...(before?.entries.filter(settled) ?? [])];
  const entries = await resolveImages(
    {
      db,
      secret: config.secret,
      artifactId: key.artifactId,
      fetchUrl,
      ownHosts: [config.publicUrl, config.contentOrigin].map((url) => new URL(url).host),
      known: new Map(known.map((entry) => [entry.url, entry])),
    },
    urls,
  );
  return { entries, isComplete: isSettled(entries) };
}

/** Null of a document that takes too long to read: what it shows now may have images another time. @throws busy */
async function urlsIn(db: Database, source: Source, ownOrigins: ReadonlySet<string>): Promise<string[] | null> {
  const { sha256, data, type, workspace_id, created_by } = source;
  const work = backgroundWork(encodeId("wsp", workspace_id), created_by);
  const name = type === "md" ? "md" : "images";
  const { text, whole } = await rendered(db, { sha256, type, name }, await contentBytes(db, data), work);
  if (!whole) return null;
  return type === "md" ? remoteImages(text, ownOrigins) : urlsOf(JSON.parse(text) as ImageReference[]);
}
