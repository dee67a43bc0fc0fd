// The documents of a project that links of another one may mean, as far as the caller can see them: a hidden document and none
// are the same.
import type { LinkTargets } from "@plinth/contract/publishing/references/document-links";
import { artifact, formerArtifactAddress } from "@plinth/db/schema/artifacts";
import { and, eq, isNotNull, sql } from "drizzle-orm";

import { withoutLink } from "../access/principal.ts";
import { visibleArtifacts } from "../access/visible.ts";
import { among } from "../addresses.ts";
import type { Context } from "../context.ts";

interface Wanted {
  /** In lower case. */
  readonly paths: readonly string[];
  readonly slugs: readonly string[];
}

/** Those of the paths and slugs that lead to a document, also by a former slug. One statement, by an index for each part. */
export async function linkTargets(
  { db: { orm }, principal, grants }: Pick<Context, "db" | "principal" | "grants">,
  projectId: string,
  { paths, slugs }: Wanted,
): Promise<LinkTargets> {
  const visible = visibleArtifacts({ principal: withoutLink(principal), grants });
  const lowered = sql<string | null>`lower(${artifact.sourcePath})`;
  const bySource = orm
    .select({ path: lowered.as("path"), slug: sql<string | null>`NULL::text`.as("slug") })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), isNotNull(artifact.sourcePath), among(lowered, paths), visible));
  const bySlug = orm
    .select({ path: sql<string | null>`NULL::text`, slug: sql<string | null>`${artifact.slug}` })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), among(artifact.slug, slugs), visible));
  const byFormerSlug = orm
    .select({ path: sql<string | null>`NULL::text`, slug: sql<string | null>`${formerArtifactAddress.slug}` })
    .from(formerArtifactAddress)
    .innerJoin(artifact, eq(artifact.artifactId, formerArtifactAddress.artifactId))
    .where(and(eq(formerArtifactAddress.projectId, projectId), among(formerArtifactAddress.slug, slugs), visible));
  const rows = await bySource.unionAll(bySlug).unionAll(byFormerSlug);
  return {
    paths: new Set(rows.flatMap(({ path }) => path ?? [])),
    slugs: new Set(rows.flatMap(({ slug }) => slug ?? [])),
  };
}
