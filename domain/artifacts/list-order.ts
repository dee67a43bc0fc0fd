// Where an artifact stands in an order of a list: in a cursor, and as part of a statement.
import type { ArtifactSort } from "@plinth/contract/artifact-lists";
import { idPattern } from "@plinth/contract/ids";
import { uuidOf } from "@plinth/db/columns";
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";

import { readCursor } from "../page.ts";

/** Behind which artifact a page begins: its place in the order, as a cursor has it, and its identifier. */
export interface After {
  readonly place: string;
  readonly artifactId: string;
}

interface Order {
  readonly direction: "ASC" | "DESC";
  /** The name of its cursors. */
  readonly list: string;
  /** What a cursor has beside the identifier. */
  readonly form: string;
  /** The place of a listed row as text. */
  readonly written: string;
  /** That text as the value by which rows are ordered. */
  readonly read: (place: string) => SQL;
}

const micros = (time: string): string => `(extract(epoch FROM ${time}) * 1000000)::bigint`;
/** More than the microseconds of any time. */
const afterMicros = 17;

const orders: Readonly<Record<ArtifactSort, Order>> = {
  best: {
    direction: "DESC",
    list: "artifacts-best",
    form: String.raw`\d{1,21}`,
    written: "listed.place::text",
    read: (place) => sql`${place}::numeric`,
  },
  // The order of the identifiers, by which its cursors name their place.
  newest: { direction: "DESC", list: "artifacts", form: "", written: "''", read: () => sql`0` },
  updated: {
    direction: "DESC",
    list: "artifacts-updated",
    form: String.raw`\d{1,16}`,
    written: `${micros("listed.place")}::text`,
    read: (place) => sql`('epoch'::timestamptz + ${place}::bigint * interval '1 microsecond')`,
  },
  title: {
    direction: "ASC",
    list: "artifacts-title",
    form: String.raw`\P{Cc}{0,200}`,
    written: "listed.place",
    read: (place) => sql`${place}::text`,
  },
};

/** The place of a match: by its score, from 0 to 1000, then by its last change. */
export const placeOfMatch = sql.raw(`score::numeric * 1e${afterMicros} + ${micros("updated_at")}`);

/** From 0 to 1000. */
export const scoreIn = (place: string): number => Number(place.slice(0, -afterMicros));

export const directionOf = (order: ArtifactSort): SQL => sql.raw(orders[order].direction);

/** The place of a row of the page's statement, for `cursorAt`. */
export const placeOf = (order: ArtifactSort): SQL<string> => sql<string>`${sql.raw(orders[order].written)}`;

/** The condition for the rows behind one; none on the first page. */
export function beyond(
  place: SQLWrapper,
  artifactId: SQLWrapper,
  order: ArtifactSort,
  after: After | undefined,
): SQL[] {
  if (after === undefined) return [];
  const sign = sql.raw(orders[order].direction === "DESC" ? "<" : ">");
  const id = sql`${uuidOf("art", after.artifactId)}::uuid`;
  return [sql`(${place}, ${artifactId}) ${sign} (${orders[order].read(after.place)}, ${id})`];
}

/**
 * The order that is asked for; without one that of the cursor, so that a cursor outlives a change of the default. The
 * first of the possible orders is the default.
 */
export function orderOf<Order extends ArtifactSort>(
  { sort, cursor }: { readonly sort?: Order; readonly cursor?: string },
  possible: readonly [Order, ...Order[]],
): Order {
  if (sort !== undefined) return sort;
  const [list] = Buffer.from(cursor ?? "", "base64url")
    .toString()
    .split(":", 1);
  return possible.find((order) => orders[order].list === list) ?? possible[0];
}

/** The name of the order's cursors, and the position of one in them. */
export const listOf = (order: ArtifactSort): string => orders[order].list;
export const positionOf = (order: ArtifactSort, { artifactId, place }: After): string =>
  order === "newest" ? artifactId : `${artifactId}:${place}`;

/** @throws invalid_request */
export function readAfter(order: ArtifactSort, cursor: string | undefined): After | undefined {
  if (cursor === undefined) return undefined;
  const { list, form } = orders[order];
  const id = idPattern("art").slice(0, -1);
  const position = readCursor(list, cursor, new RegExp(order === "newest" ? `${id}$` : `${id}:${form}$`, "u"));
  const [artifactId = ""] = position.split(":", 1);
  return { artifactId, place: position.slice(artifactId.length + 1) };
}
