// Holding an artifact while it is changed.
import type { Database } from "@plinth/db/connection";
import { artifact as artifacts, project as projects } from "@plinth/db/schema/artifacts";
import { and, eq, isNull } from "drizzle-orm";

import { notFound } from "./refusals.ts";
import type { ArtifactRow } from "./resource.ts";

/** The artifact as it is now, which nobody else changes until the transaction ends. @throws not_found */
export async function lockArtifact(db: Database, artifact: ArtifactRow): Promise<ArtifactRow> {
  const [row] = await db.orm
    .select()
    .from(artifacts)
    .where(and(eq(artifacts.artifactId, artifact.artifactId), isNull(artifacts.deletedAt)))
    .for("update");
  if (row === undefined) throw notFound();
  if (row.projectId === artifact.projectId) return { ...artifact, ...row };
  const [moved] = await db.orm
    .select({ projectSlug: projects.slug })
    .from(projects)
    .where(eq(projects.projectId, row.projectId));
  return { ...artifact, ...row, ...moved };
}
