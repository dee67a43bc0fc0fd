// Retention of versions, workspace by workspace and in short transactions (docs/reference/contract.md §6). Each batch
// asks for the plan again, so that one changed in time saves what it keeps longer.
import { encodeId } from "@plinth/contract/ids";
import { planIds } from "@plinth/contract/plans";
import { nilUuid } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { keepingPlan, supersededUntil } from "../plans/days.ts";
import { recordAs } from "../audit/audit.ts";
import { systemCause } from "../audit/system-cause.ts";
import { collectContents } from "./collect.ts";
import { prune, type HeldArtifact, type Pruned } from "./prune.ts";
import type { Deadline } from "./deadline.ts";

const workspacesAtOnce = 100;
/** Artifacts held by one transaction. */
const artifactsAtOnce = 100;

const bounds = "json_to_recordset($1::text::json) AS bounds(plan text, until timestamptz)";
const keeping = keepingPlan("w", "$3::text::timestamptz");

/** Ends in LIMIT 1, so that each workspace is looked up by index under any estimate of the tables' sizes. */
const workspacesStatement = `
SELECT w.workspace_id
FROM workspace w
JOIN ${bounds} ON bounds.plan = ${keeping}
JOIN LATERAL (
  SELECT FROM artifact a
  WHERE a.workspace_id = w.workspace_id AND a.oldest_superseded_at <= bounds.until
  LIMIT 1
) due ON true
WHERE w.workspace_id > $2
ORDER BY w.workspace_id
LIMIT ${workspacesAtOnce}`;

/**
 * What another run holds, or a change of the artifact, is left to it or to the next run. The bound comes by a subquery,
 * so that the index gives the first ones without the others being looked at.
 */
const artifactsStatement = `
WITH bound AS MATERIALIZED (
  SELECT bounds.until FROM workspace w JOIN ${bounds} ON bounds.plan = ${keeping} WHERE w.workspace_id = $2
)
SELECT a.artifact_id, a.workspace_id, a.latest_version, a.pruned_through, (SELECT until::text FROM bound) AS until
FROM artifact a
WHERE a.workspace_id = $2 AND a.oldest_superseded_at <= (SELECT until FROM bound)
ORDER BY a.oldest_superseded_at
LIMIT ${artifactsAtOnce}
FOR NO KEY UPDATE OF a SKIP LOCKED`;

/** Prunes what is due everywhere, and says whether it came to the end of it; two at once share the work. */
export async function pruneVersions(db: Database, now: Date, requestId: string, deadline: Deadline): Promise<boolean> {
  const bound = planIds.map((plan) => ({ plan, until: supersededUntil(plan, now).toISOString() }));
  const at: Bounds = { until: JSON.stringify(bound), now: now.toISOString() };
  let workspaces: { workspace_id: string }[];
  let after = nilUuid;
  do {
    workspaces = await db.run(workspacesStatement, [at.until, after, at.now]);
    for (const { workspace_id } of workspaces) {
      do if (deadline.hasPassed()) return false;
      while (await pruneBatch(db, at, workspace_id, requestId));
      after = workspace_id;
    }
  } while (workspaces.length > 0);
  return true;
}

/** What each plan keeps no longer, and when that was counted. */
interface Bounds {
  readonly until: string;
  readonly now: string;
}

/** Whether anything went. */
const pruneBatch = (db: Database, { until, now }: Bounds, workspaceId: string, requestId: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const artifacts = await tx.run<HeldArtifact>(artifactsStatement, [until, workspaceId, now]);
    if (artifacts.length === 0) return false;
    const { pruned, hashes } = await prune(tx, artifacts);
    if (pruned.length === 0) return false;
    await recordAs(tx, systemCause(requestId), ...pruned.map(changeOf));
    await collectContents(tx, hashes);
    return true;
  });

/** One event for what an artifact loses at once. */
function changeOf({ artifact, first, last }: Pruned) {
  const artifactId = encodeId("art", artifact.artifact_id);
  return {
    kind: "version.pruned" as const,
    workspaceId: encodeId("wsp", artifact.workspace_id),
    artifactId,
    target: { type: "artifact", id: artifactId },
    before: { versionNumber: first, ...(last > first && { throughVersion: last }) },
  };
}
