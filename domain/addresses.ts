// Availability of addresses, shown only to callers that may publish there (docs/reference/contract.md §3).
import { slugLength, slugPattern } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Availability, SlugPreview } from "@plinth/contract/schemas/project";
import { artifact, formerArtifactAddress, formerProjectAddress, project } from "@plinth/db/schema/artifacts";
import { and, eq, exists, isNull, or, sql, type Column, type SQL } from "drizzle-orm";

import type { ProjectRow, WorkspaceRow } from "./access/resource.ts";
import type { Context } from "./context.ts";

const validSlug = new RegExp(slugPattern);
const isSlug = (text: string): boolean => text.length <= slugLength && validSlug.test(text);

/** The artifact that has a slug in a project, or had it. */
interface Holder {
  /** Null where it is in another workspace now. */
  readonly artifactId: string | null;
  /** It has another address now, and this one leads to it. */
  readonly isFormer: boolean;
}

/** Which artifact has a slug in a project, and the next free one like it. */
export async function freeSlug(
  context: Context,
  projectId: string,
  slug: string,
): Promise<{ holder: Holder | null; suggestion: string }> {
  let holder: Holder | null = null;
  const suggestion = await nextFree(slug, async (candidates) => {
    const taken = await takenSlugs(context, projectId, [slug, ...candidates]);
    holder = taken.find((row) => row.slug === slug) ?? holder;
    return taken.map((row) => row.slug);
  });
  return { holder, suggestion };
}

/** By the artifacts that have them, then by those that had them. */
async function takenSlugs(
  { db: { orm } }: Context,
  projectId: string,
  slugs: readonly string[],
): Promise<(Holder & { readonly slug: string })[]> {
  const present = orm
    .select({ slug: artifact.slug, artifactId: artifact.artifactId, isFormer: sql<boolean>`false`.as("is_former") })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), isNull(artifact.deletedAt), among(artifact.slug, slugs)));
  const isHere = eq(artifact.workspaceId, project.workspaceId);
  const former = orm
    .select({
      slug: formerArtifactAddress.slug,
      artifactId: sql<string>`CASE WHEN ${isHere} THEN ${artifact.artifactId} END`.mapWith(artifact.artifactId),
      isFormer: sql<boolean>`true`,
    })
    .from(formerArtifactAddress)
    .innerJoin(artifact, eq(artifact.artifactId, formerArtifactAddress.artifactId))
    .innerJoin(project, eq(project.projectId, formerArtifactAddress.projectId))
    .where(
      and(
        eq(formerArtifactAddress.projectId, projectId),
        isNull(artifact.deletedAt),
        among(formerArtifactAddress.slug, slugs),
      ),
    );
  return present.unionAll(former).orderBy(sql`is_former`);
}

/** Names that are asked about together to begin with; twice as many each time that all are taken. */
const firstAsked = 16;

/**
 * A valid slug near the one asked for, with so many characters at most: the first that `takenOf` does not name of those it is asked
 * about. What that costs does not grow with all else that begins alike.
 */
export async function nextFree(
  slug: string,
  takenOf: (candidates: readonly string[]) => Promise<readonly string[]>,
  maxLength: number = slugLength,
): Promise<string> {
  const base = stem(slug, maxLength);
  for (let [from, asked] = [1, firstAsked]; ; from += asked, asked *= 2) {
    const candidates = Array.from({ length: asked }, (_, n) => (from + n === 1 ? base : `${base}-${from + n}`));
    const taken = new Set(await takenOf(candidates));
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free !== undefined) return free;
  }
}

/** Whether a column has one of these texts, however many: the statement is the same. */
export const among = (column: Column | SQL, texts: readonly string[]): SQL =>
  sql`${column} = ANY (ARRAY(SELECT json_array_elements_text(${JSON.stringify(texts)}::text::json)))`;

/** The slug made valid and short enough to carry a number. */
function stem(slug: string, maxLength: number = slugLength): string {
  const words = slug.toLowerCase().match(/[a-z0-9]+/g) ?? ["untitled"];
  return words
    .join("-")
    .slice(0, maxLength - 8)
    .replace(/-$/, "");
}

export async function artifactSlugAvailability(
  context: Context,
  { slug }: Input<"artifact.slugAvailability">,
  { projectId }: ProjectRow,
): Promise<Availability> {
  const { holder, suggestion } = await freeSlug(context, projectId, slug);
  return availability(slug, holder !== null, suggestion);
}

export async function slugPreview(
  context: Context,
  { slug }: Input<"artifact.urlPreview">,
  { projectId, ownerUsername, slug: projectSlug }: ProjectRow,
): Promise<SlugPreview> {
  const { holder, suggestion } = await freeSlug(context, projectId, slug);
  const usable = isSlug(slug) ? slug : suggestion;
  return {
    url: `${context.config.publicUrl}/${ownerUsername}/${projectSlug}/${usable}`,
    slug: usable,
    available: holder === null,
  };
}

export async function projectSlugAvailability(
  context: Context,
  { slug }: Input<"project.slugAvailability">,
  { workspaceId }: WorkspaceRow,
): Promise<Availability> {
  const { taken, suggestion } = await freeProjectSlug(context, workspaceId, slug);
  return availability(slug, taken !== null, suggestion);
}

/** Whether a workspace has or had a project of that slug, and the next free one like it. */
export async function freeProjectSlug(
  context: Context,
  workspaceId: string,
  slug: string,
): Promise<{ taken: "now" | "formerly" | null; suggestion: string }> {
  let taken: "now" | "formerly" | null = null;
  const suggestion = await nextFree(slug, async (candidates) => {
    const rows = await takenProjectSlugs(context, workspaceId, [slug, ...candidates]);
    const holder = rows.find((row) => row.slug === slug);
    if (holder !== undefined) taken = holder.isFormer ? "formerly" : "now";
    return rows.map((row) => row.slug);
  });
  return { taken, suggestion };
}

/**
 * By the projects that have them, then by those that had them and are not deleted, or from which an artifact moved that is
 * not deleted.
 */
async function takenProjectSlugs(
  { db: { orm } }: Context,
  workspaceId: string,
  slugs: readonly string[],
): Promise<{ readonly slug: string; readonly isFormer: boolean }[]> {
  const present = orm
    .select({ slug: project.slug, isFormer: sql<boolean>`false`.as("is_former") })
    .from(project)
    .where(and(eq(project.workspaceId, workspaceId), isNull(project.deletedAt), among(project.slug, slugs)));
  const leaveIt = orm
    .select({ artifactId: artifact.artifactId })
    .from(formerArtifactAddress)
    .innerJoin(artifact, eq(artifact.artifactId, formerArtifactAddress.artifactId))
    .where(and(eq(formerArtifactAddress.projectId, project.projectId), isNull(artifact.deletedAt)));
  const former = orm
    .select({ slug: formerProjectAddress.slug, isFormer: sql<boolean>`true` })
    .from(formerProjectAddress)
    .innerJoin(project, eq(project.projectId, formerProjectAddress.projectId))
    .where(
      and(
        eq(formerProjectAddress.workspaceId, workspaceId),
        or(isNull(project.deletedAt), exists(leaveIt)),
        among(formerProjectAddress.slug, slugs),
      ),
    );
  return present.unionAll(former).orderBy(sql`is_former`);
}

/** A former address as callers see it. */
export const formerAddress = ({ publicUrl }: Context["config"], address: string, since: Date) => ({
  address,
  url: `${publicUrl}/${address}`,
  since: since.toISOString(),
});

function availability(slug: string, taken: boolean, suggestion: string): Availability {
  if (!isSlug(slug)) return { available: false, reason: "invalid", suggestion };
  return taken
    ? { available: false, reason: "taken", suggestion }
    : { available: true, reason: null, suggestion: null };
}
