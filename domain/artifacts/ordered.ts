// The identifiers of the artifacts of one workspace or project that a caller may see, by last change or by title, as part
// of a statement. The rows of `artifact_order` are walked in that order, a page's worth; what is seen and what a filter
// keeps is asked of the artifact itself, by the rules that every list has.
import { uuidOf } from "@plinth/db/columns";
import { artifact, artifactOrder } from "@plinth/db/schema/artifacts";
import { sql, type SQL } from "drizzle-orm";

import { ownWorkspaces } from "../access/principal.ts";
import { conditionOf, sightsOfGuest, uuidsIn, visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";
import { all, first, projectOf, workspaceOf } from "./newest.ts";

/** The orders that need stored rows; newest first is the order of the identifiers. */
export type KeptOrder = "updated" | "title";

/** Behind which artifact a page begins: its place in the order, as `placeOf` writes it, and its identifier. */
export interface After {
  readonly place: string;
  readonly artifactId: string;
}

/** One workspace, or one project of it; where the conditions keep but the public or the private ones, which. */
export interface Within {
  readonly owner: string;
  readonly project?: string | undefined;
  readonly visibility?: "public" | "private" | undefined;
}

const { artifactId, workspaceId, projectId, publicView, updatedAt, titleKey } = artifactOrder;

const orders = {
  updated: {
    key: updatedAt,
    direction: sql`DESC`,
    beyond: sql`<`,
    read: (place: string) => sql`('epoch'::timestamptz + ${place}::bigint * interval '1 microsecond')`,
  },
  title: { key: titleKey, direction: sql`ASC`, beyond: sql`>`, read: (place: string) => sql`${place}::text` },
} as const;

/** Where a row of the page's statement stands, as a cursor keeps it. */
export const placeOf = (order: KeptOrder): SQL<string> =>
  order === "updated" ? sql`(extract(epoch FROM listed.place) * 1000000)::bigint::text` : sql`listed.place`;

/** The order of the page's statement. */
export const inOrder = (order: KeptOrder): SQL =>
  sql`listed.place ${orders[order].direction}, listed.artifact_id ${orders[order].direction}`;

/** Walks the public artifacts and those of the caller's workspaces, and looks up the ones shared with the caller. */
export function orderedIn(
  context: Pick<Context, "principal" | "grants">,
  order: KeptOrder,
  { owner, project, visibility }: Within,
  conditions: readonly SQL[],
  after: After | undefined,
  count: number,
): SQL {
  const workspace = workspaceOf(owner);
  const own = uuidsIn(ownWorkspaces(context.principal).map((id) => uuidOf("wsp", id)));
  const ownOnly = sql`${workspace} = ANY (ARRAY(SELECT ${own}))`;
  const place =
    project === undefined ? sql`${workspaceId} = ${workspace}` : sql`${projectId} = ${projectOf(project, owner)}`;
  const seen = all([visibleArtifacts(context), ...conditions]);
  const walk = (isPublic: SQL, more: readonly SQL[]) => sql`(SELECT ${artifactId}, ${orders[order].key} AS place
    FROM ${artifactOrder}
    CROSS JOIN LATERAL (SELECT FROM ${artifact} WHERE ${artifact.artifactId} = ${artifactId} AND ${seen} LIMIT 1) AS seen
    WHERE ${all([place, sql`${publicView} = ${isPublic}`, ...more, ...beyond(order, after)])} ${page(order, count)})`;
  const lookedUp = sightsOfGuest(context).map(
    (sight) =>
      sql`(${placed(
        sql`SELECT ${artifact.artifactId} FROM (SELECT * FROM ${artifact} WHERE ${conditionOf(sight)} OFFSET 0) AS artifact
        WHERE ${all(conditions)}`,
        order,
        after,
        count,
      )})`,
  );
  const walks = [
    ...(visibility === "private" ? [] : [walk(sql`true`, [])]),
    ...(visibility === "public" ? [] : [walk(sql`false`, [ownOnly])]),
    ...lookedUp,
  ];
  return sql`SELECT artifact_id, place FROM (${sql.join(walks, sql` UNION ALL `)}) AS walked
    GROUP BY artifact_id, place ORDER BY place ${orders[order].direction}, artifact_id ${orders[order].direction}
    ${first(count)}`;
}

/** A page of those of a statement that gives identifiers, all of which are looked at. */
export const placed = (ids: SQL, order: KeptOrder, after: After | undefined, count: number): SQL =>
  sql`SELECT ${artifactId}, ${orders[order].key} AS place FROM (${ids}) AS few
    CROSS JOIN LATERAL (
      SELECT * FROM ${artifactOrder} WHERE ${artifactId} = few.artifact_id LIMIT 1) AS artifact_order
    WHERE ${all([sql`true`, ...beyond(order, after)])} ${page(order, count)}`;

const page = (order: KeptOrder, count: number): SQL => {
  const { key, direction } = orders[order];
  return sql`ORDER BY ${key} ${direction}, ${artifactId} ${direction} ${first(count)}`;
};

/** Nothing on the first page. */
function beyond(order: KeptOrder, after: After | undefined): SQL[] {
  if (after === undefined) return [];
  const { key, beyond: sign, read } = orders[order];
  return [sql`(${key}, ${artifactId}) ${sign} (${read(after.place)}, ${uuidOf("art", after.artifactId)}::uuid)`];
}
