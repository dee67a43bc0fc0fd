// Which addresses are still free, told only to those who may publish there (contract 3).
import { slugLength, slugPattern } from "@plinth/contract/limits";
import type { Input } from "@plinth/contract/registry";
import type { Availability, SlugPreview } from "@plinth/contract/schemas/project";
import { artifact, project } from "@plinth/db/schema/artifacts";
import { and, eq, isNull, like } from "drizzle-orm";

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
  const rows = await context.db.orm
    .select({ artifactId: artifact.artifactId, slug: artifact.slug })
    .from(artifact)
    .where(and(eq(artifact.projectId, projectId), isNull(artifact.deletedAt), like(artifact.slug, `${stem(slug)}%`)));
  const taken = new Set(rows.map((row) => row.slug));
  const holder = rows.find((row) => row.slug === slug);
  return { artifactId: holder?.artifactId ?? null, suggestion: nextFree(slug, taken) };
}

/** A valid slug near the one asked for that is not among those taken, with so many characters at most. */
export function nextFree(slug: string, taken: ReadonlySet<string>, maxLength: number = slugLength): string {
  const base = stem(slug, maxLength);
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const candidate = `${base}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

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
  const rows = await context.db.orm
    .select({ slug: project.slug })
    .from(project)
    .where(and(eq(project.workspaceId, workspaceId), isNull(project.deletedAt), like(project.slug, `${stem(slug)}%`)));
  const taken = new Set(rows.map((row) => row.slug));
  return { taken: taken.has(slug), suggestion: nextFree(slug, taken) };
}

function availability(slug: string, taken: boolean, suggestion: string): Availability {
  if (!isSlug(slug)) return { available: false, reason: "invalid", suggestion };
  return taken
    ? { available: false, reason: "taken", suggestion }
    : { available: true, reason: null, suggestion: null };
}
