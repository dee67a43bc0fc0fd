// The end of artifacts deleted more than 30 days ago, with their versions and the texts that only they have
// (docs/reference/contract.md §6). Their audit events stay.
import { undeleteDays } from "@plinth/contract/limits";
import { encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

import { recordAs } from "../audit/audit.ts";
import { collectContents } from "./collect.ts";
import { prune, type HeldArtifact } from "./prune.ts";
import { systemCause } from "../audit/system-cause.ts";
import type { Deadline } from "./deadline.ts";
import { filesOf, listsOf, noteUnused, removeCompiled } from "./release-files.ts";

const artifactsAtOnce = 100;

interface Dead extends HeldArtifact {
  readonly slug: string;
  readonly title: string;
  /** Nothing is kept of it but its head. */
  readonly is_bare: boolean;
}

const deadStatement = `
SELECT artifact_id, workspace_id, latest_version, pruned_through, 'infinity' AS until, slug, title,
  oldest_superseded_at IS NULL AS is_bare
FROM artifact
WHERE deleted_at < now() - make_interval(days => ${undeleteDays})
ORDER BY deleted_at
LIMIT ${artifactsAtOnce}
FOR UPDATE SKIP LOCKED`;

/** What else there is of it goes with its row. */
const purgeStatement = `
WITH gone AS (SELECT json_array_elements_text($1::text::json)::uuid AS artifact_id), heads AS (
  SELECT v.sha256 FROM version v JOIN gone ON gone.artifact_id = v.artifact_id WHERE v.pruned_at IS NULL
), purged AS (
  DELETE FROM artifact a USING gone WHERE a.artifact_id = gone.artifact_id
)
SELECT encode(sha256, 'hex') AS sha256 FROM heads`;

/**
 * Purges what is due, and says whether it came to the end of it; two at once share the work. One with many versions
 * loses them first, a batch at a time.
 */
export async function purgeArtifacts(db: Database, requestId: string, deadline: Deadline): Promise<boolean> {
  do if (deadline.hasPassed()) return false;
  while (await purgeBatch(db, requestId));
  return true;
}

/** Whether anything went. */
const purgeBatch = (db: Database, requestId: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const dead = await tx.run<Dead>(deadStatement);
    const crowded = dead.filter((artifact) => !artifact.is_bare);
    if (crowded.length > 0) {
      const { hashes } = await prune(tx, crowded);
      if (hashes.length > 0) {
        await collectContents(tx, hashes);
        return true;
      }
    }
    const bare = dead.filter((artifact) => artifact.is_bare);
    if (bare.length === 0) return false;
    const ids = bare.map(({ artifact_id }) => artifact_id);
    const [files, lists] = [await filesOf(tx, ids), await listsOf(tx, ids)];
    const heads = await tx.run<{ sha256: string }>(purgeStatement, [JSON.stringify(ids)]);
    await noteUnused(tx, files);
    await removeCompiled(tx, lists);
    await recordAs(tx, systemCause(requestId), ...bare.map(changeOf));
    await collectContents(
      tx,
      heads.map(({ sha256 }) => sha256),
    );
    return true;
  });

function changeOf({ artifact_id, workspace_id, slug, title }: Dead) {
  const artifactId = encodeId("art", artifact_id);
  return {
    kind: "artifact.purged" as const,
    workspaceId: encodeId("wsp", workspace_id),
    artifactId,
    target: { type: "artifact", id: artifactId },
    before: { deleted: true, slug, title },
  };
}
