// The job that ends what can't come back: artifacts deleted more than 30 days ago with their texts, and what
// is past its day: idempotency records, former names, sessions, codes and tokens (contract 2 and 6). Audit events stay.
import { undeleteDays, idempotencyHours } from "@plinth/contract/limits";
import type { Database } from "@plinth/db/connection";
import { formerName } from "@plinth/db/schema/accounts";
import { artifact, content, rendering, version } from "@plinth/db/schema/artifacts";
import { idempotency } from "@plinth/db/schema/records";
import { and, inArray, isNull, notInArray, sql } from "drizzle-orm";

import { purgeOAuth } from "../identity/oauth/purge.ts";
import { recordAs } from "../records/audit.ts";
import { removeStale } from "./worker-process.ts";

/** Rows in one transaction, so that no lock is held for long. */
const batch = 200;

export async function purge(db: Database, requestId: string): Promise<void> {
  while ((await purgeArtifacts(db, requestId)) === batch);
  await purgeOAuth(db);
  await removeStale(db);
  for (const table of ["session", "sign_in_link"]) await db.run(`DELETE FROM ${table} WHERE expires_at <= now()`);
  await db.orm.delete(formerName).where(sql`${formerName.until} <= now()`);
  await db.orm
    .delete(idempotency)
    .where(sql`${idempotency.createdAt} < now() - make_interval(hours => ${idempotencyHours})`);
}

/** Removes the texts that only these artifacts have, and what was rendered of them. Expects the versions to be locked. */
async function purgeTexts(tx: Database, artifactIds: string[]): Promise<void> {
  const theirs = tx.orm
    .select({ sha256: version.sha256 })
    .from(version)
    .where(inArray(version.artifactId, artifactIds));
  const others = tx.orm
    .select({ sha256: version.sha256 })
    .from(version)
    .where(and(notInArray(version.artifactId, artifactIds), isNull(version.prunedAt), inArray(version.sha256, theirs)));
  await tx.orm.delete(content).where(and(inArray(content.sha256, theirs), notInArray(content.sha256, others)));
  await tx.orm.delete(rendering).where(and(inArray(rendering.sha256, theirs), notInArray(rendering.sha256, others)));
}

/** How many artifacts went, with their versions; one audit event each. */
async function purgeArtifacts(db: Database, requestId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const { artifactId, workspaceId, slug, title } = artifact;
    const gone = await tx.orm
      .select({ artifactId, workspaceId, slug, title })
      .from(artifact)
      .where(sql`${artifact.deletedAt} < now() - make_interval(days => ${undeleteDays})`)
      .limit(batch)
      .for("update", { skipLocked: true });
    if (gone.length === 0) return 0;
    const artifactIds = gone.map((row) => row.artifactId);
    // Whoever publishes meanwhile waits: a text found in the store must still be there when the version is.
    await tx.run("LOCK TABLE version IN SHARE ROW EXCLUSIVE MODE");
    await purgeTexts(tx, artifactIds);
    await tx.orm.delete(artifact).where(inArray(artifact.artifactId, artifactIds));
    const cause = { actor: { type: "system", id: "system", label: "Plinth" }, surface: "system", requestId } as const;
    const purged = gone.map((row) => ({
      kind: "artifact.purged" as const,
      workspaceId: row.workspaceId,
      artifactId: row.artifactId,
      target: { type: "artifact", id: row.artifactId },
      before: { deleted: true, slug: row.slug, title: row.title },
    }));
    await recordAs(tx, cause, ...purged);
    return gone.length;
  });
}
