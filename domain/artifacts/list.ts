// Lists of artifacts and the search in them, filtered in SQL by the rules of access.
import type { ArtifactSort } from "@plinth/contract/artifact-lists";
import { undeleteDays } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { artifact, artifactOrder } from "@plinth/db/schema/artifacts";
import { eq, gte, isNull, lt, sql, type SQL } from "drizzle-orm";

import { ownWorkspaces, principalKey } from "../access/principal.ts";
import {
  conditionOf,
  guestRules,
  ownRule,
  publicRule,
  type VisibilityRule,
  visibilityRules,
  visibleArtifacts,
} from "../access/visible.ts";
import type { Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { parseTimestamp } from "../timestamp.ts";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import { uuidOf } from "@plinth/db/columns";
import { readQuery, type SearchQuery } from "../search/query.ts";
import { artifactPage } from "./artifact-page.ts";
import {
  everyOf,
  first,
  newestBy,
  newestOf,
  ofAuthor,
  ofOwner,
  ofProject,
  ofProjects,
  personOf,
  projectOf,
  projectsOf,
  workspaceOf,
} from "./newest.ts";
import { orderedIn, placed, underWay, unplaced, type Within } from "./ordered.ts";
import { type After, beyond, directionOf, orderOf, placeOfMatch } from "./list-order.ts";
import { scored, type Within as SearchedWithin } from "../search/found.ts";
import { marksBetween, markSigns, typeMark, workspaceMark } from "../search/marks.ts";

/**
 * A page of what a search finds, as part of a statement: the marks by which the search documents are narrowed to what
 * the caller may see and asks for, and the order of the matches.
 */
function matches(
  context: Pick<Context, "principal" | "grants">,
  query: SearchQuery,
  filter: Filter,
  conditions: readonly SQL[],
  order: ArtifactSort,
  after: After | undefined,
  count: number,
): SQL {
  const guests = filter.visibility === "public" ? [] : guestRules(context).map((rule) => everyOf([conditionOf(rule)]));
  const found = scored(query, { ...narrowed(context, filter), conditions, guests });
  const page = (place: SQL, more: SQL = sql``) => sql`SELECT artifact_id, place FROM (
      SELECT found.artifact_id, ${place} AS place FROM (${found}) AS found ${more}) AS placed
    WHERE ${sql.join([sql`true`, ...beyond(sql`place`, sql`artifact_id`, order, after)], sql` AND `)}
    ORDER BY place ${directionOf(order)}, artifact_id ${directionOf(order)} ${first(count)}`;
  switch (order) {
    case "best":
      return page(placeOfMatch);
    case "updated":
      return page(sql`found.updated_at`);
    case "newest":
      return page(sql`0`);
    case "title":
      return page(
        sql`ordered.title_key`,
        sql`CROSS JOIN LATERAL (
          SELECT ${artifactOrder.titleKey} FROM ${artifactOrder}
          WHERE ${artifactOrder.artifactId} = found.artifact_id LIMIT 1) AS ordered`,
      );
  }
}

/** What the search documents are narrowed to: those of the caller's workspaces, and what the filters say. */
function narrowed(
  { principal }: Pick<Context, "principal">,
  filter: Filter,
): Pick<SearchedWithin, "isPublic" | "own" | "marks"> {
  const { visibility } = filter;
  const own = visibility === "public" ? [] : ownWorkspaces(principal).map((id) => workspaceMark(uuidOf("wsp", id)));
  const marks = marksOf(filter);
  return {
    isPublic: visibility !== "private",
    own: own.length === 0 ? null : anyOf(own),
    marks: marks.length === 0 ? null : sql`(${sql.join(marks, sql` && `)})`,
  };
}

function marksOf({ owner, project, type, author, since, until }: Filter): SQL[] {
  // The last changes are looked at first, so that their beginning alone needs no mark.
  const before = until === undefined ? null : parseTimestamp(until, "until");
  return [
    ...(before === null ? [] : [anyOf(marksBetween(parseTimestamp(since ?? "", "since") ?? undefined, before))]),
    ...(type === undefined ? [] : [anyOf([typeMark(type)])]),
    ...(author === undefined ? [] : [markOf(markSigns.creator, personOf(author))]),
    ...(project === undefined || owner !== undefined ? [] : [markOfAny(markSigns.project, projectsOf(project))]),
    ...(project === undefined || owner === undefined ? [] : [markOf(markSigns.project, projectOf(project, owner))]),
    ...(project !== undefined || owner === undefined ? [] : [markOf(markSigns.workspace, workspaceOf(owner))]),
  ];
}

/** Null, which no document matches, without one. */
const anyOf = (marks: readonly string[]): SQL =>
  sql`${marks.length === 0 ? null : marks.map((mark) => `'${mark}'`).join(" | ")}::text::tsquery`;

/** Null, which no document matches, where there is no such row. */
const markOf = (sign: string, id: SQL): SQL =>
  sql`(${sql.raw(`'''${sign}'`)} || replace(${id}::text, '-', '') || '''')::tsquery`;

const markOfAny = (sign: string, ids: SQL): SQL =>
  sql`(SELECT string_agg(${sql.raw(`'''${sign}'`)} || replace(id::text, '-', '') || '''', ' | ')::tsquery FROM (${ids}) AS each(id))`;

type Page = Output<"artifact.list">;
type Filter = Pick<Input<"artifact.list">, "owner" | "project" | "type" | "visibility" | "author" | "since" | "until">;

/**
 * A very common word costs many times more than others: the limit keeps one caller's searches from using the database
 * alone.
 */
const turns = createKeyedSemaphore({ atOnce: 4, ofOneCaller: 1 });

const nothing: Page = { artifacts: [], nextCursor: null };

/** Those of the workspaces the caller belongs to; deleted ones only where the caller may bring them back. */
export async function listMyArtifacts(context: Context, input: Input<"artifact.listMine">): Promise<Page> {
  const own = ownRule(context.principal);
  if (own === null) return nothing;
  if (!input.deleted) return list(context, input, { rules: [own], place: "own" });
  const deleted = sql`${artifact.deletedAt} > now() - make_interval(days => ${undeleteDays})`;
  return artifactPage(context, input, "newest", (after, count) =>
    newestBy([own], [deleted, ...filters(input), ...before(after)], count),
  );
}

/** What the caller may see in one workspace. */
export const listWorkspaceArtifacts: JsonHandler<"workspace.artifacts"> = (context, input, { workspaceId, slug }) => {
  const { workspaceId: _, ...filters } = input;
  const place = { owner: slug, project: input.project };
  return list(context, filters, { rules: visibilityRules(context), place }, [eq(artifact.workspaceId, workspaceId)]);
};

/** Everything the caller may see, or what a search finds of it. */
export async function listArtifacts(context: Context, input: Input<"artifact.list">): Promise<Page> {
  const { q, owner, project, visibility } = input;
  const rules = visibilityRules(context).filter((rule) => visibility !== "private" || rule !== publicRule);
  if (rules.length === 0) return nothing;
  if (q === undefined) {
    const place = owner === undefined ? "everywhere" : { owner, project };
    // The rules of the input leave no best match without words.
    const { sort, ...rest } = input;
    return list(context, sort === undefined || sort === "best" ? rest : { ...rest, sort }, { rules, place });
  }
  const query = readQuery(q);
  if (query === null) return nothing;
  const conditions = [visibleArtifacts(context), isNull(artifact.deletedAt), ...filters(input)];
  const order = orderOf(input, ["best", "newest", "updated", "title"]);
  return turns(principalKey(context.principal), () =>
    artifactPage(
      context,
      input,
      order,
      (after, count) => matches(context, query, input, conditions, order, after, count),
      query,
    ),
  );
}

interface Listed {
  readonly rules: readonly VisibilityRule[];
  readonly place: Within["place"];
}

/** Without words to search for. */
function list(
  context: Context,
  input: Filter & { readonly sort?: Exclude<ArtifactSort, "best">; readonly limit?: number; readonly cursor?: string },
  { rules, place }: Listed,
  more: readonly SQL[] = [],
): Promise<Page> {
  const { project, visibility } = input;
  const conditions = [isNull(artifact.deletedAt), ...more, ...filters(input)];
  const seen = sql`(${sql.join(rules.map(conditionOf), sql` OR `)})`;
  // Those of the projects of one name have no index, and are all looked up.
  const isLookedUp = project !== undefined && typeof place === "string";
  const newest = (after: readonly SQL[], count: number) =>
    isLookedUp
      ? newestOf([seen, ...conditions, ...after], [], count)
      : newestBy(rules, [...conditions, ...after], count);
  const order = orderOf(input, ["updated", "newest", "title"]);
  const ids = (after: After | undefined, count: number): SQL => {
    if (order === "newest") return newest(before(after), count);
    if (isLookedUp) return placed(everyOf([seen, ...conditions]), order, after, count);
    const walked = orderedIn(context, order, { place, visibility, ...times(input) }, conditions, after, count);
    const walks = order === "title" ? [walked] : [walked, ...unplaced((more) => newest(more, count + underWay), after)];
    return sql.join(
      walks.map((walk) => sql`(${walk})`),
      sql` UNION ALL `,
    );
  };
  return artifactPage(context, input, order, ids);
}

/** The artifacts that were created before one. */
const before = (after: After | undefined): SQL[] =>
  after === undefined ? [] : [lt(artifact.artifactId, after.artifactId)];

function times({ since, until }: Filter): { since?: Date; until?: Date } {
  const from = since === undefined ? null : parseTimestamp(since, "since");
  const to = until === undefined ? null : parseTimestamp(until, "until");
  return { ...(from && { since: from }), ...(to && { until: to }) };
}

function filters(input: Filter): SQL[] {
  const { owner, project, type, visibility, author } = input;
  const { since, until } = times(input);
  return [
    ...(owner === undefined || project !== undefined ? [] : [ofOwner(owner)]),
    ...(project === undefined ? [] : [owner === undefined ? ofProjects(project) : ofProject(project, owner)]),
    ...(type === undefined ? [] : [eq(artifact.type, type)]),
    ...(author === undefined ? [] : [ofAuthor(author)]),
    ...(since === undefined ? [] : [gte(artifact.updatedAt, since)]),
    ...(until === undefined ? [] : [lt(artifact.updatedAt, until)]),
    ...(visibility === undefined ? [] : [eq(artifact.publicView, visibility === "public")]),
  ];
}
