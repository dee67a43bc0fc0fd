// The error for a version that could not be appended: it names who published the latest version and when, so that an
// agent can recover.
import { AppError } from "@plinth/contract/errors";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";

import { notFound, versionExpired } from "../access/refusals.ts";
import type { Context } from "../context.ts";
import type { NewHead } from "./append-statement.ts";

interface HeadState {
  latest_version: number;
  created_by: Actor;
  created_at: Date;
  pruned_at: Date | null;
}

const statement = `
SELECT a.latest_version, v.created_by, v.created_at, r.pruned_at
FROM artifact a
JOIN version v ON v.artifact_id = a.artifact_id AND v.version_number = a.latest_version
LEFT JOIN version r ON r.artifact_id = a.artifact_id AND r.version_number = $2
WHERE a.artifact_id = $1 AND a.deleted_at IS NULL`;

/** Expects a publish that wrote nothing; reads the current latest version. */
export async function explainConflict(context: Context, head: NewHead): Promise<AppError> {
  const [state] = await context.db.run<HeadState>(statement, [uuidOf("art", head.artifactId), head.restoredFrom]);
  if (state === undefined) return notFound();
  if (head.restoredFrom !== null && state.pruned_at !== null) return versionExpired(head.restoredFrom, state.pruned_at);
  const { latest_version: latestVersion } = state;
  return new AppError("version_conflict", `The latest version is ${latestVersion}, not ${head.expected}`, {
    artifactId: head.artifactId,
    expectedLatestVersion: head.expected,
    latestVersion,
    changedBy: state.created_by,
    changedAt: state.created_at.toISOString(),
    hint: `Read version ${latestVersion}, bring your change to it, and send expectedLatestVersion ${latestVersion}`,
  });
}
