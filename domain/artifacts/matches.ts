// A page of what a search finds, as part of a statement: the marks by which the search documents are narrowed to what
// the caller may see and asks for, and the order of the matches.
import { uuidOf } from "@plinth/db/columns";
import { artifactOrder } from "@plinth/db/schema/artifacts";
import { sql, type SQL } from "drizzle-orm";

import { ownWorkspaces } from "../access/principal.ts";
import { conditionOf, guestRules } from "../access/visible.ts";
import type { Input } from "@plinth/contract/registry";
import type { ArtifactSort } from "@plinth/contract/artifact-lists";
import type { Context } from "../context.ts";
import { readTime } from "../given-time.ts";
import { scored, type Within } from "../search/found.ts";
import { marksBetween, markSigns, typeMark, workspaceMark } from "../search/marks.ts";
import type { SearchQuery } from "../search/query.ts";
import { everyOf, first, personOf, projectOf, projectsOf, workspaceOf } from "./newest.ts";
import { beyond, directionOf, placeOfMatch, type After } from "./places.ts";

type Filter = Pick<Input<"artifact.list">, "owner" | "project" | "type" | "visibility" | "author" | "since" | "until">;

export function matches(
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
): Pick<Within, "isPublic" | "own" | "marks"> {
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
  const before = until === undefined ? null : readTime(until);
  return [
    ...(before === null ? [] : [anyOf(marksBetween(readTime(since ?? "") ?? undefined, before))]),
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
