// Lists of artifacts and the search in them, filtered in SQL by the rules of access.
import type { ArtifactSort } from "@plinth/contract/artifact-lists";
import { undeleteDays } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { artifact } from "@plinth/db/schema/artifacts";
import { eq, gte, isNull, lt, sql, type SQL } from "drizzle-orm";

import { principalKey } from "../access/principal.ts";
import type { WorkspaceRow } from "../access/resource.ts";
import {
  conditionOf,
  ownRule,
  publicRule,
  visibilityRules,
  visibleArtifacts,
  type VisibilityRule,
} from "../access/visible.ts";
import type { Context } from "../context.ts";
import { readTime } from "../given-time.ts";
import { createTurns } from "@plinth/platform/turns";
import { readQuery } from "../search/query.ts";
import { artifactPage } from "./artifact-page.ts";
import { matches } from "./matches.ts";
import { everyOf, newestBy, newestOf, ofAuthor, ofOwner, ofProject, ofProjects } from "./newest.ts";
import { orderedIn, placed, underWay, unplaced, type Within } from "./ordered.ts";
import { orderOf, type After } from "./places.ts";

type Page = Output<"artifact.list">;
type Filter = Pick<Input<"artifact.list">, "owner" | "project" | "type" | "visibility" | "author" | "since" | "until">;

/**
 * A very common word costs many times more than others: the limit keeps one caller's searches from using the database
 * alone.
 */
const turns = createTurns({ atOnce: 4, ofOneCaller: 1 });

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
export function listWorkspaceArtifacts(
  context: Context,
  input: Input<"workspace.artifacts">,
  { workspaceId, slug }: WorkspaceRow,
): Promise<Page> {
  const { workspaceId: _, ...filters } = input;
  const place = { owner: slug, project: input.project };
  return list(context, filters, { rules: visibilityRules(context), place }, [eq(artifact.workspaceId, workspaceId)]);
}

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
  const [from, to] = [since, until].map((time) => (time === undefined ? null : readTime(time)));
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
