// Which addresses are still free, told only to those who may publish there (docs/reference/contract.md §3).
import { slugLength, slugPattern } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Availability, SlugPreview } from "@plinth/contract/schemas/project";
import { artifact, project } from "@plinth/db/schema/artifacts";
import { and, eq, isNull, sql, type Column, type SQL } from "drizzle-orm";

import type { ProjectRow, WorkspaceRow } from "./access/resource.ts";
import type { Context } from "./context.ts";

const validSlug = new RegExp(slugPattern);
const isSlug = (text: string): boolean => text.length <= slugLength && validSlug.test(text);

/** Who has a slug in a project, and the next free one like it. */
export async function freeSlug(
  context: Context,
  projectId: string,
  slug: string,
): Promise<{ artifactId: string | null; suggestion: string }> {
  let artifactId: string | null = null;
  const suggestion = await nextFree(slug, async (candidates) => {
    const rows = await context.db.orm
      .select({ artifactId: artifact.artifactId, slug: artifact.slug })
      .from(artifact)
      .where(
        and(eq(artifact.projectId, projectId), isNull(artifact.deletedAt), among(artifact.slug, [slug, ...candidates])),
      );
    artifactId = rows.find((row) => row.slug === slug)?.artifactId ?? artifactId;
    return rows.map((row) => row.slug);
  });
  return { artifactId, suggestion };
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
export const among = (column: Column, texts: readonly string[]): SQL =>
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
  const { artifactId, suggestion } = await freeSlug(context, projectId, slug);
  return availability(slug, artifactId !== null, suggestion);
}

export async function slugPreview(
  context: Context,
  { slug }: Input<"artifact.urlPreview">,
  { projectId, ownerUsername, slug: projectSlug }: ProjectRow,
): Promise<SlugPreview> {
  const { artifactId, suggestion } = await freeSlug(context, projectId, slug);
  const usable = isSlug(slug) ? slug : suggestion;
  return {
    url: `${context.config.publicUrl}/${ownerUsername}/${projectSlug}/${usable}`,
    slug: usable,
    available: artifactId === null,
  };
}

export async function projectSlugAvailability(
  context: Context,
  { slug }: Input<"project.slugAvailability">,
  { workspaceId }: WorkspaceRow,
): Promise<Availability> {
  const { taken, suggestion } = await freeProjectSlug(context, workspaceId, slug);
  return availability(slug, taken, suggestion);
}

/** Whether a workspace has a project of that slug, and the next free one like it. */
export async function freeProjectSlug(
  context: Context,
  workspaceId: string,
  slug: string,
): Promise<{ taken: boolean; suggestion: string }> {
  let taken = false;
  const suggestion = await nextFree(slug, async (candidates) => {
    const rows = await context.db.orm
      .select({ slug: project.slug })
      .from(project)
      .where(
        and(
          eq(project.workspaceId, workspaceId),
          isNull(project.deletedAt),
          among(project.slug, [slug, ...candidates]),
        ),
      );
    taken ||= rows.some((row) => row.slug === slug);
    return rows.map((row) => row.slug);
  });
  return { taken, suggestion };
}

function availability(slug: string, taken: boolean, suggestion: string): Availability {
  if (!isSlug(slug)) return { available: false, reason: "invalid", suggestion };
  return taken
    ? { available: false, reason: "taken", suggestion }
    : { available: true, reason: null, suggestion: null };
}
