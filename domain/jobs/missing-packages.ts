// The job that asks again for packages: a registry may have been away for longer than the tries of one job, and the queue
// may have lost a job.
import { encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { requestLocks } from "../content/request-locks.ts";
import type { VersionKey } from "../packages/lock.ts";
import { endLostTurns } from "../queue/turns-of-workspaces.ts";

/** Versions that are asked for in one run, the longest waiting first. */
const maxAsked = 1000;
/** A version that is older is left to its author's retry. */
const maxAge = "7 days";

const incompleteStatement = `
SELECT l.artifact_id, l.version_number
FROM package_lock l
JOIN version v ON v.artifact_id = l.artifact_id AND v.version_number = l.version_number
JOIN artifact a ON a.artifact_id = l.artifact_id AND a.deleted_at IS NULL
WHERE NOT l.is_complete AND l.updated_at < now() - interval '10 minutes' AND v.created_at > now() - interval '${maxAge}'
ORDER BY l.updated_at LIMIT ${maxAsked}`;

export async function requestMissingPackages(db: Database): Promise<void> {
  const lost = (await endLostTurns(db, "packages")).map(({ payload }) => payload as unknown as VersionKey);
  const rows = await db.run<{ artifact_id: string; version_number: number }>(incompleteStatement);
  const incomplete = rows.map((row) => ({
    artifactId: encodeId("art", row.artifact_id),
    versionNumber: row.version_number,
  }));
  await requestLocks(db, [...lost, ...incomplete]);
}
