// The packages of a version: listed, and asked for again (docs/reference/contract.md §3, "Packages").
import type { Input } from "@plinth/contract/registry";
import type { VersionPackages } from "@plinth/contract/schemas/package";
import { uuidOf } from "@plinth/db/columns";

import type { ArtifactRow, LoadedVersion } from "../access/resource.ts";
import { record } from "../audit/audit.ts";
import { forgetLock } from "../content/package-documents.ts";
import { requestLocks } from "../content/request-locks.ts";
import { lockedPackages, packagesOfVersion } from "../content/version-packages.ts";
import { workFor } from "../content/work.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { filesSummary } from "../files/given-files.ts";
import type { VersionKey } from "../packages/lock.ts";

/** @throws busy */
export const listPackages: JsonHandler<"version.packages"> = async (context, { withFiles, withAuthor }, loaded) => {
  const { artifact, version } = loaded;
  return {
    ...(withFiles === true && { files: filesSummary(version.files) }),
    ...(withAuthor === true && {
      name: version.name,
      createdBy: version.createdBy,
      createdAt: version.createdAt.toISOString(),
    }),
    artifactId: artifact.artifactId,
    versionNumber: version.versionNumber,
    packages: await packagesOfVersion(context, loaded, workFor(context.principal, artifact.workspaceId)),
  };
};

/** A lock with something missing that is a package's may change again. A version without a lock gets one. */
const reopenStatement = `
WITH reopened AS (
  UPDATE package_lock SET is_complete = false
  WHERE artifact_id = $1 AND version_number = $2 AND EXISTS (
    SELECT FROM jsonb_array_elements(entries) AS entry
    WHERE entry->'missing'->>'code' NOT IN ('not-published', 'too-many', 'unsupported')
      OR jsonb_array_length(entry->'without') > 0)
  RETURNING artifact_id
)
SELECT EXISTS (SELECT FROM reopened)
  OR NOT EXISTS (SELECT FROM package_lock WHERE artifact_id = $1 AND version_number = $2) AS is_open`;

/** Asks for the missing packages again, unless a job does already. Pinned packages stay. */
export async function retryPackages(
  context: Context,
  _input: Input<"version.retryPackages">,
  { artifact, version: { versionNumber } }: LoadedVersion,
): Promise<VersionPackages> {
  const key = { artifactId: artifact.artifactId, versionNumber };
  if (artifact.type !== "md") await transact(context, (inside) => askAgain(inside, artifact, key));
  forgetLock(key);
  return { ...key, packages: (await lockedPackages(context, key)) ?? [] };
}

/** Expects to run in a transaction. */
async function askAgain(context: Context, { artifactId, workspaceId }: ArtifactRow, key: VersionKey): Promise<void> {
  const { db } = context;
  const { versionNumber } = key;
  const [row] = await db.run<{ is_open: boolean }>(reopenStatement, [uuidOf("art", artifactId), versionNumber]);
  if (row?.is_open !== true || (await requestLocks(db, [key])) === 0) return;
  const target = { type: "artifact", id: artifactId };
  await record(context, {
    kind: "version.packages_retried",
    workspaceId,
    artifactId,
    target,
    after: { versionNumber },
  });
}
