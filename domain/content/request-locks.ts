// Asks for the locks of versions, of packages and of images, and for the drawings of diagrams: a row of the outbox for each, which stays until its job has ended, so that a version
// has one job at most.
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { VersionKey } from "../packages/lock.ts";
import { diagramsKey, imagesKey, packagesKey } from "../queue/turns-of-workspaces.ts";

/** In a fixed order, so that two statements cannot deadlock. */
const requestStatement = `
INSERT INTO outbox (job_id, kind, payload, dedupe_key, workspace_id)
SELECT r.job, $2, jsonb_build_object('artifactId', r.id, 'versionNumber', r.version), r.key, a.workspace_id
FROM json_to_recordset($1::text::json) AS r(job uuid, artifact uuid, id text, version int, key text)
JOIN LATERAL (
  SELECT a.workspace_id FROM artifact a WHERE a.artifact_id = r.artifact AND a.deleted_at IS NULL LIMIT 1
) a ON true
ORDER BY r.key
ON CONFLICT (dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
RETURNING job_id`;

/** Returns how many got a job; a version that has one already gets no second one. */
export const requestLocks = (db: Database, versions: readonly VersionKey[]): Promise<number> =>
  request(db, "packages", packagesKey, versions);

/** The same for image locks. */
export const requestImages = (db: Database, versions: readonly VersionKey[]): Promise<number> =>
  request(db, "images", imagesKey, versions);

/** The same for the drawings of diagrams. */
export const requestDiagrams = (db: Database, versions: readonly VersionKey[]): Promise<number> =>
  request(db, "diagrams", diagramsKey, versions);

async function request(
  db: Database,
  kind: "packages" | "images" | "diagrams",
  keyOf: typeof packagesKey,
  versions: readonly VersionKey[],
): Promise<number> {
  if (versions.length === 0) return 0;
  const requests = versions.map(({ artifactId, versionNumber }) => ({
    job: Bun.randomUUIDv7(),
    artifact: uuidOf("art", artifactId),
    id: artifactId,
    version: versionNumber,
    key: keyOf(artifactId, versionNumber),
  }));
  return (await db.run(requestStatement, [JSON.stringify(requests), kind])).length;
}

/** Whether a job for the lock waits or runs. */
export async function isLockRequested(db: Database, { artifactId, versionNumber }: VersionKey): Promise<boolean> {
  const [row] = await db.run<{ exists: boolean }>(
    "SELECT EXISTS (SELECT FROM outbox WHERE dedupe_key = $1) AS exists",
    [packagesKey(artifactId, versionNumber)],
  );
  return row?.exists === true;
}
