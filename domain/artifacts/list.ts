// Lists of artifacts and the search in them, newest first or in another order, filtered in SQL by the rules of access.
import { idPattern } from "@plinth/contract/ids";
import { pageLimit, undeleteDays } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { workspace } from "@plinth/db/schema/accounts";
import { artifact, project as projects } from "@plinth/db/schema/artifacts";
import { desc, eq, getTableColumns, isNull, lt, sql, type SQL } from "drizzle-orm";

import { artifactPermissions } from "../access/decide.ts";
import { principalKey } from "../access/principal.ts";
import type { ShownArtifact, WorkspaceRow } from "../access/resource.ts";
import { sightOfOwn, sightOfPublic, sightsOf, visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";
import { pageOf, readCursor, readPage, type Page as PageOf } from "../page.ts";
import { newestFound } from "../search/found.ts";
import { readQuery } from "../search/query.ts";
import { createTurns } from "@plinth/platform/turns";
import { newestBy, newestOf, ofOwner, ofProject, ofProjects } from "./newest.ts";
import { inOrder, orderedIn, placed, placeOf, type After, type KeptOrder } from "./ordered.ts";
import { presentArtifact } from "./present.ts";

type Page = Output<"artifact.list">;

/**
 * A very common word costs a hundred times more than others: the limit keeps one caller's searches from using the
 * database alone.
 */
const turns = createTurns({ atOnce: 4, ofOneCaller: 1 });

/** Finds that are brought into an order other than newest first, the newest of them. */
const orderedFinds = 1000;

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
  const { q, owner, project, visibility, sort = "newest" } = input;
  const sights = sightsOf(context).filter((sight) => visibility !== "private" || sight !== sightOfPublic);
  if (sights.length === 0) return nothing;
  const conditions = [isNull(artifact.deletedAt), ...filters(input)];
  const readable = [visibleArtifacts(context), ...conditions];
  const visible = (more: SQL[], count: number) =>
    project === undefined || owner !== undefined
      ? newestBy(sights, [...conditions, ...more], count)
      : newestOf([...readable, ...more], [], count);
  const query = q === undefined ? undefined : readQuery(q);
  if (query === null) return nothing;
  const found = (before: readonly SQL[], count: number) =>
    query === undefined
      ? visible([...before], count)
      : newestFound(query, [...readable, ...before], (more) => visible([...more, ...before], count), count);
  const list = () => {
    if (sort === "newest" || owner === undefined) return page(context, input, found);
    return orderedPage(context, input, sort, (after, count) =>
      query === undefined
        ? orderedIn(context, sort, { owner, project, visibility }, conditions, after, count)
        : placed(found([], orderedFinds), sort, after, count),
    );
  };
  return query === undefined ? list() : turns(principalKey(context.principal), list);
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
  const rows = await listed(context, ids, sql`''`, desc(artifact.artifactId));
  return shown(
    context,
    pageOf("artifacts", rows, limit, (row) => row.artifactId),
  );
}

/** A page in an order that is kept, whose cursors are good for that one alone. */
async function orderedPage(
  context: Context,
  input: { limit?: number; cursor?: string },
  order: KeptOrder,
  ids: (after: After | undefined, count: number) => SQL,
): Promise<Page> {
  const { limit = pageLimit.default, cursor } = input;
  const after = cursor === undefined ? undefined : readAfter(order, cursor);
  const rows = await listed(context, ids(after, limit + 1), placeOf(order), inOrder(order));
  return shown(
    context,
    pageOf(`artifacts-${order}`, rows, limit, (row) => `${row.artifactId}:${row.place}`),
  );
}

const places: Readonly<Record<KeptOrder, string>> = { updated: String.raw`\d{1,16}`, title: String.raw`\P{Cc}{0,200}` };

/** @throws invalid_request */
function readAfter(order: KeptOrder, cursor: string): After {
  const form = new RegExp(`${idPattern("art").slice(0, -1)}:${places[order]}$`, "u");
  const position = readCursor(`artifacts-${order}`, cursor, form);
  const at = position.indexOf(":");
  return { artifactId: position.slice(0, at), place: position.slice(at + 1) };
}

type ListedRow = ShownArtifact & { readonly place: string };

/** Presents the artifacts that a statement selects, with their sort place where it has one. */
const listed = (context: Context, ids: SQL, place: SQL<string>, order: SQL): Promise<ListedRow[]> =>
  context.db.orm
    .select({ ...getTableColumns(artifact), ownerUsername: workspace.slug, projectSlug: projects.slug, place })
    .from(sql`(${ids}) AS listed`)
    .innerJoin(artifact, eq(artifact.artifactId, sql`listed.artifact_id`))
    .innerJoin(projects, eq(projects.projectId, artifact.projectId))
    .innerJoin(workspace, eq(workspace.workspaceId, artifact.workspaceId))
    .orderBy(order);

const shown = (context: Context, { shown: rows, nextCursor }: PageOf<ShownArtifact>): Page => ({
  artifacts: rows
    .filter((row) => row.deletedAt === null || artifactPermissions(context.principal, row).has("undelete"))
    .map((row) => presentArtifact(context, row)),
  nextCursor,
});
