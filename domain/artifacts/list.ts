// Lists of artifacts and the search in them, newest first, filtered in SQL by the rules of access.
import { undeleteDays } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { workspace } from "@plinth/db/schema/accounts";
import { artifact, project as projects } from "@plinth/db/schema/artifacts";
import { desc, eq, getTableColumns, isNull, lt, sql, type SQL } from "drizzle-orm";

import { artifactPermissions } from "../access/decide.ts";
import { principalKey } from "../access/principal.ts";
import type { ShownArtifact, WorkspaceRow } from "../access/resource.ts";
import { sightOfOwn, sightOfPublic, sightsOf, visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";
import { pageOf, readPage } from "../page.ts";
import { newestFound } from "../search/found.ts";
import { readQuery } from "../search/query.ts";
import { createTurns } from "../turns.ts";
import { newestBy, newestOf, ofOwner, ofProject, ofProjects } from "./newest.ts";
import { presentArtifact } from "./present.ts";

type Page = Output<"artifact.list">;

/**
 * A word that very many documents have costs a hundred times what others do: nobody's searches keep the database from
 * everybody else's requests.
 */
const turns = createTurns({ atOnce: 4, ofOneCaller: 1 });

const nothing: Page = { artifacts: [], nextCursor: null };

/** Those of the workspaces the caller belongs to; deleted ones only where the caller may bring them back. */
export async function listMyArtifacts(context: Context, input: Input<"artifact.listMine">): Promise<Page> {
  const deleted = sql`${artifact.deletedAt} > now() - make_interval(days => ${undeleteDays})`;
  const condition = input.deleted ? deleted : isNull(artifact.deletedAt);
  const own = sightOfOwn(context.principal);
  if (own === null) return nothing;
  return page(context, input, (before, count) => newestBy([own], [condition, ...before], count));
}

/** What the caller may see in one workspace. */
export async function listWorkspaceArtifacts(
  context: Context,
  input: Input<"workspace.artifacts">,
  { workspaceId }: WorkspaceRow,
): Promise<Page> {
  const conditions = [isNull(artifact.deletedAt), eq(artifact.workspaceId, workspaceId)];
  return page(context, input, (before, count) => newestBy(sightsOf(context), [...conditions, ...before], count));
}

/** Everything the caller may see, or what a search finds of it. */
export async function listArtifacts(context: Context, input: Input<"artifact.list">): Promise<Page> {
  const { q, owner, project, visibility } = input;
  const sights = sightsOf(context).filter((sight) => visibility !== "private" || sight !== sightOfPublic);
  if (sights.length === 0) return nothing;
  const conditions = [isNull(artifact.deletedAt), ...filters(input)];
  const readable = [visibleArtifacts(context), ...conditions];
  const visible = (more: SQL[], count: number) =>
    project === undefined || owner !== undefined
      ? newestBy(sights, [...conditions, ...more], count)
      : newestOf([...readable, ...more], [], count);
  if (q === undefined) return page(context, input, visible);
  const query = readQuery(q);
  if (query === null) return nothing;
  return turns(principalKey(context.principal), () =>
    page(context, input, (before, count) =>
      newestFound(query, [...readable, ...before], (found) => visible([...found, ...before], count), count),
    ),
  );
}

function filters({ owner, project, type, visibility }: Input<"artifact.list">): SQL[] {
  return [
    ...(owner === undefined || project !== undefined ? [] : [ofOwner(owner)]),
    ...(project === undefined ? [] : [owner === undefined ? ofProjects(project) : ofProject(project, owner)]),
    ...(type === undefined ? [] : [eq(artifact.type, type)]),
    ...(visibility === undefined ? [] : [eq(artifact.publicView, visibility === "public")]),
  ];
}

/** One statement: the identifiers of the page and one more, then what is shown of each. */
async function page(
  context: Context,
  input: { limit?: number; cursor?: string },
  newest: (before: SQL[], count: number) => SQL,
): Promise<Page> {
  const { limit, before } = readPage("artifacts", "art", input);
  const ids = newest(before === undefined ? [] : [lt(artifact.artifactId, before)], limit + 1);
  const rows: ShownArtifact[] = await context.db.orm
    .select({
      ...getTableColumns(artifact),
      ownerUsername: workspace.slug,
      projectSlug: projects.slug,
    })
    .from(sql`(${ids}) AS newest`)
    .innerJoin(artifact, eq(artifact.artifactId, sql`newest.artifact_id`))
    .innerJoin(projects, eq(projects.projectId, artifact.projectId))
    .innerJoin(workspace, eq(workspace.workspaceId, artifact.workspaceId))
    .orderBy(desc(artifact.artifactId));
  const { shown, nextCursor } = pageOf("artifacts", rows, limit, (row) => row.artifactId);
  return {
    artifacts: shown
      .filter((row) => row.deletedAt === null || artifactPermissions(context.principal, row).has("undelete"))
      .map((row) => presentArtifact(context, row)),
    nextCursor,
  };
}
