// The job that ends what can't come back: artifacts deleted more than 30 days ago, and what is past its day:
// unused images and files, idempotency records, sessions, codes and tokens (docs/reference/contract.md §2 and §6), events that
// Stripe sent.
import { idempotencyHours, undeleteDays, uploadHours } from "@plinth/contract/limits";
import type { Database } from "@plinth/db/connection";
import { encodeId } from "@plinth/contract/ids";

import { staleViews } from "../artifacts/page-views.ts";
import { endedIdTokenUses } from "../credentials/id-token-use.ts";
import { expiredExchanges } from "../credentials/trust.ts";
import { purgeOAuth } from "../identity/oauth/purge.ts";
import { removeStale } from "../queue/worker-process.ts";
import { staleVersionScreenshots } from "../thumbnails/version-screenshots.ts";
import { purgeImages } from "./purge-images.ts";
import { type Deadline, noDeadline } from "./deadline.ts";
import { recordAs } from "../audit/audit.ts";
import { collectContents } from "./collect.ts";
import { filesOf, type HeldArtifact, listsOf, noteUnused, prune, removeCompiled } from "./prune.ts";
import { systemCause } from "../audit/system-cause.ts";

// The end of files that no version has had for a day, with the bytes that only they have (docs/architecture/files.md).
const filesAtOnce = 100;

/** Uploads by the right to update an artifact are forgotten after the same time. */
const staleUploads = `DELETE FROM artifact_upload WHERE uploaded_at < now() - make_interval(hours => ${uploadHours})`;

const unusedStatement = `
SELECT workspace_id, encode(sha256, 'hex') AS sha256 FROM workspace_file
WHERE unused_since < now() - make_interval(hours => ${uploadHours})
ORDER BY unused_since
LIMIT ${filesAtOnce}
FOR UPDATE SKIP LOCKED`;

const isUsed = "EXISTS (SELECT FROM file_set_file f WHERE f.workspace_id = w.workspace_id AND f.sha256 = w.sha256)";

/** A separate statement, because its snapshot must be later than the locks and so include publishes that came before them. */
const purgeUnusedStatement = `
WITH asked AS (
  SELECT a.workspace_id, decode(a.sha256, 'hex') AS sha256
  FROM json_to_recordset($1::text::json) AS a(workspace_id uuid, sha256 text)
), used AS (
  UPDATE workspace_file w SET unused_since = NULL FROM asked
  WHERE w.workspace_id = asked.workspace_id AND w.sha256 = asked.sha256 AND ${isUsed}
)
DELETE FROM workspace_file w USING asked
WHERE w.workspace_id = asked.workspace_id AND w.sha256 = asked.sha256 AND NOT ${isUsed}
RETURNING encode(w.sha256, 'hex') AS sha256`;

/** Whether everything due is done; two at once share the work. */
async function purgeFiles(db: Database, deadline: Deadline): Promise<boolean> {
  do if (deadline.hasPassed()) return false;
  while (await purgeFileBatch(db));
  return true;
}

/** Whether anything was due. */
const purgeFileBatch = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const unused = await tx.run<{ workspace_id: string; sha256: string }>(unusedStatement);
    if (unused.length === 0) return false;
    const purged = await tx.run<{ sha256: string }>(purgeUnusedStatement, [JSON.stringify(unused)]);
    await collectContents(
      tx,
      purged.map(({ sha256 }) => sha256),
    );
    return true;
  });

/**
 * The end of artifacts deleted more than 30 days ago, with their versions and the texts that only they have
 * (docs/reference/contract.md §6). Their audit events stay.
 */
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

/** For longer than Stripe sends an event again, by itself or because it is told to. */
const eventDays = 30;

const pastTheirDay = [
  "DELETE FROM session WHERE expires_at <= now()",
  "DELETE FROM sign_in_link WHERE expires_at <= now()",
  "DELETE FROM email_sign_in WHERE expires_at <= now()",
  `DELETE FROM idempotency WHERE created_at < now() - make_interval(hours => ${idempotencyHours})`,
  expiredExchanges,
  endedIdTokenUses,
  staleVersionScreenshots,
  staleUploads,
  staleViews,
  `DELETE FROM stripe_event WHERE received_at < now() - make_interval(days => ${eventDays})`,
];

/** Whether everything due is done; the next run does the rest. */
export async function purge(db: Database, requestId: string, deadline: Deadline = noDeadline): Promise<boolean> {
  await purgeOAuth(db);
  await removeStale(db);
  for (const statement of pastTheirDay) await db.run(statement);
  return (
    (await purgeArtifacts(db, requestId, deadline)) && (await purgeImages(db, deadline)) && purgeFiles(db, deadline)
  );
}
