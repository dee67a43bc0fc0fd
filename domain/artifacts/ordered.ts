// The identifiers of the artifacts that a caller may see, by last change or by title, as part of a statement. The rows
// of `artifact_order` are walked in that order, a page's worth; what is seen and what a filter keeps is asked of the
// artifact itself, by the rules that every list has.
import { uuidOf } from "@plinth/db/columns";
import { artifact, artifactOrder } from "@plinth/db/schema/artifacts";
import { sql, type SQL } from "drizzle-orm";

import { ownWorkspaces } from "../access/principal.ts";
import { conditionOf, guestRules, uuidsIn, visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";
import { all, first, projectOf, workspaceOf } from "./newest.ts";
import { beyond, directionOf, type After } from "./list-order.ts";

/** The orders that need stored rows; newest first is the order of the identifiers. */
type KeptOrder = "updated" | "title";

interface OnePlace {
  readonly owner: string;
  readonly project?: string | undefined;
}

/** Where the walk goes: every artifact, those of the caller's workspaces alone, or one workspace or project. */
export interface Within {
  readonly place: "everywhere" | "own" | OnePlace;
  readonly visibility?: "public" | "private" | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

const { artifactId, workspaceId, projectId, publicView, updatedAt, titleKey } = artifactOrder;

const keys = { updated: updatedAt, title: titleKey } as const;

type Caller = Pick<Context, "principal" | "grants">;

/** Walks the public artifacts and those of the caller's workspaces, and looks up the ones shared with the caller. */
export function orderedIn(
  context: Caller,
  order: KeptOrder,
  within: Within,
  conditions: readonly SQL[],
  after: After | undefined,
  count: number,
): SQL {
  const seen = all([visibleArtifacts(context), ...conditions]);
  const page = all([sql`true`, ...inTime(within), ...beyond(keys[order], artifactId, order, after)]);
  const walk = (where: SQL) => sql`SELECT ${artifactId}, ${keys[order]} AS place FROM ${artifactOrder}
    CROSS JOIN LATERAL (SELECT FROM ${artifact} WHERE ${artifact.artifactId} = ${artifactId} AND ${seen} LIMIT 1) AS seen
    WHERE ${where} AND ${page} ${inOrder(order, count)}`;
  const walks = [...walksOf(context, within, walk), ...lookedUp(context, order, within, conditions, after, count)];
  return sql`SELECT artifact_id, place FROM (${walks.length === 0 ? nothing : sql.join(walks, sql` UNION ALL `)}) AS walked
    GROUP BY artifact_id, place ORDER BY place ${directionOf(order)}, artifact_id ${directionOf(order)}
    ${first(count)}`;
}

const nothing = sql`SELECT NULL::uuid AS artifact_id, NULL::timestamptz AS place WHERE false`;

/** One for the public artifacts and one for the private ones of the caller's workspaces, each in the order of an index. */
function walksOf({ principal }: Caller, { place, visibility }: Within, walk: (where: SQL) => SQL): SQL[] {
  const own = uuidsIn(ownWorkspaces(principal).map((id) => uuidOf("wsp", id)));
  const ofEachOwn = (isPublic: SQL) =>
    sql`(SELECT walked.artifact_id, walked.place FROM (SELECT ${own} AS id) AS own
      CROSS JOIN LATERAL (${walk(sql`${workspaceId} = own.id AND ${publicView} = ${isPublic}`)}) AS walked)`;
  const publicOnes = (): SQL => {
    if (place === "everywhere") return sql`(${walk(sql`${publicView}`)})`;
    return place === "own" ? ofEachOwn(sql`true`) : sql`(${walk(sql`${placeIs(place)} AND ${publicView} = true`)})`;
  };
  const privateOnes = (): SQL => {
    if (place === "everywhere" || place === "own") return ofEachOwn(sql`false`);
    const isOwn = sql`${workspaceOf(place.owner)} = ANY (ARRAY(SELECT ${own}))`;
    return sql`(${walk(sql`${placeIs(place)} AND ${publicView} = false AND ${isOwn}`)})`;
  };
  return [...(visibility === "private" ? [] : [publicOnes()]), ...(visibility === "public" ? [] : [privateOnes()])];
}

const placeIs = ({ owner, project }: OnePlace): SQL =>
  project === undefined
    ? sql`${workspaceId} = ${workspaceOf(owner)}`
    : sql`${projectId} = ${projectOf(project, owner)}`;

function lookedUp(
  context: Caller,
  order: KeptOrder,
  within: Within,
  conditions: readonly SQL[],
  after: After | undefined,
  count: number,
): SQL[] {
  if (within.place === "own") return [];
  return guestRules(context).map((rule) => {
    const ids = sql`SELECT ${artifact.artifactId} FROM (
      SELECT * FROM ${artifact} WHERE ${conditionOf(rule)} OFFSET 0) AS artifact WHERE ${all(conditions)}`;
    return sql`(${placed(ids, order, after, count)})`;
  });
}

/**
 * A page of those of a statement that gives identifiers, all of which are looked at. One without a row, because the job has
 * not run, stands at the time of its last change; by title it is left out until then.
 */
export function placed(ids: SQL, order: KeptOrder, after: After | undefined, count: number): SQL {
  const place = order === "title" ? titleKey : sql`coalesce(${updatedAt}, changed.updated_at)`;
  const join = sql.raw(order === "title" ? "JOIN" : "LEFT JOIN");
  return sql`SELECT few.artifact_id, ${place} AS place FROM (${ids}) AS few
    CROSS JOIN LATERAL (SELECT ${artifact.updatedAt} FROM ${artifact}
      WHERE ${artifact.artifactId} = few.artifact_id LIMIT 1) AS changed
    ${join} LATERAL (
      SELECT * FROM ${artifactOrder} WHERE ${artifactId} = few.artifact_id LIMIT 1) AS artifact_order ON true
    WHERE ${all([sql`true`, ...beyond(place, sql`few.artifact_id`, order, after)])}
    ORDER BY place ${directionOf(order)}, few.artifact_id ${directionOf(order)} ${first(count)}`;
}

/** By then the job that writes a row has run, in ms. */
const settledAfter = 10 * 60_000;
/** Between the clock of a process, which makes identifiers, and that of the database, in ms. */
const clockDifference = 60_000;

/**
 * Artifacts whose identifier was made before another one's, and that were written after it: publishes that wait together. The
 * newest by identifier must be so many more than a page, or a later page would begin behind them.
 */
export const underWay = 32;

/**
 * Those that have no row yet, because the job has not run, each at the time of its last change; none on a page that
 * begins behind a change of which the job has long run. `newest` are the newest identifiers that the list would have,
 * with conditions: an artifact is no newer than its last change.
 */
export function unplaced(newest: (conditions: readonly SQL[]) => SQL, after: After | undefined): SQL[] {
  const time = Number(after?.place) / 1000;
  if (time < Date.now() - settledAfter) return [];
  const until = after === undefined ? [] : [sql`${artifact.artifactId} < ${firstIdAt(time + clockDifference)}::uuid`];
  const behind = [...until, ...beyond(artifact.updatedAt, artifact.artifactId, "updated", after)];
  // OFFSET 0: only those without a row are looked up again.
  return [
    sql`SELECT artifact_id, place FROM (
        SELECT newest.artifact_id FROM (${newest(behind)}) AS newest
        WHERE NOT EXISTS (SELECT FROM ${artifactOrder} WHERE ${artifactId} = newest.artifact_id) OFFSET 0
      ) AS missing
      CROSS JOIN LATERAL (
        SELECT ${artifact.updatedAt} AS place FROM ${artifact} WHERE ${artifact.artifactId} = missing.artifact_id LIMIT 1
      ) AS at`,
  ];
}

/** The least identifier of a time in ms. */
function firstIdAt(time: number): string {
  const hex = Math.floor(time).toString(16).padStart(12, "0").slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

function inTime({ since, until }: Within): SQL[] {
  return [
    ...(since === undefined ? [] : [sql`${updatedAt} >= ${since.toISOString()}::timestamptz`]),
    ...(until === undefined ? [] : [sql`${updatedAt} < ${until.toISOString()}::timestamptz`]),
  ];
}

const inOrder = (order: KeptOrder, count: number): SQL =>
  sql`ORDER BY ${keys[order]} ${directionOf(order)}, ${artifactId} ${directionOf(order)} ${first(count)}`;
