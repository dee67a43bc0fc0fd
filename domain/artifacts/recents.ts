// The artifacts whose pages a person opened last: recorded in a write buffer while pages are answered, and listed to that
// person alone, as far as they may see them at that moment.
import { recentArtifacts } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { user } from "@plinth/db/schema/accounts";
import { artifact, recentView } from "@plinth/db/schema/artifacts";
import { createWriteBuffer } from "@plinth/platform/write-buffer";
import { eq, sql } from "drizzle-orm";

import { withoutLink, requirePerson } from "../access/principal.ts";
import { visibleArtifacts } from "../access/visible.ts";
import type { Context } from "../context.ts";
import type { Recents } from "../services.ts";
import { artifactPage } from "./artifact-page.ts";
import { all } from "./newest.ts";
import { beyond } from "./list-order.ts";

/** Between two flushes: a person who goes back to the dashboard looks for the artifact there. */
export const recentsFlushMs = 1_000;

/**
 * Locked in the order of creation, as elsewhere (sharing/uses.ts). Artifacts and people that are gone are left out, and what was
 * opened before the list was cleared: FOR SHARE, because clearing it does not wait for a lock on the key alone.
 */
const flushStatement = `
  WITH seen AS MATERIALIZED (
    SELECT n.* FROM json_to_recordset($1::text::json) AS n(person uuid, artifact uuid, at timestamptz)
    JOIN "user" u ON u.user_id = n.person
    JOIN artifact a ON a.artifact_id = n.artifact
    WHERE u.recents_cleared_at IS NULL OR n.at > u.recents_cleared_at
    ORDER BY u.user_id, a.artifact_id
    FOR SHARE OF u FOR KEY SHARE OF a
  )
  INSERT INTO recent_view AS known (user_id, artifact_id, viewed_at)
  SELECT person, artifact, at FROM seen ORDER BY person, artifact
  ON CONFLICT (user_id, artifact_id) DO UPDATE SET viewed_at = greatest(known.viewed_at, excluded.viewed_at)`;

/** Removes those beyond the latest ones of each person. A separate statement, because it must see the new rows. */
const trimStatement = `
  DELETE FROM recent_view r
  USING (SELECT DISTINCT person FROM json_to_recordset($1::text::json) AS n(person uuid)) AS p
  WHERE r.user_id = p.person AND r.viewed_at < (
    SELECT viewed_at FROM recent_view WHERE user_id = p.person
    ORDER BY viewed_at DESC OFFSET ${recentArtifacts - 1} LIMIT 1)`;

export function createRecents(db: Database): Recents {
  const { record, ...flushed } = createWriteBuffer<number>(Math.max, async (collected) => {
    const rows = JSON.stringify(collected.map(rowOf));
    await db.run(flushStatement, [rows]);
    await db.run(trimStatement, [rows]);
  });
  return {
    record(principal, { artifactId }) {
      const caller = withoutLink(principal);
      if (caller.type === "user") record(`${caller.userId} ${artifactId}`, Date.now());
    },
    ...flushed,
  };
}

function rowOf([key, time]: readonly [string, number]): object {
  const [userId = "", artifactId = ""] = key.split(" ");
  return { person: uuidOf("usr", userId), artifact: uuidOf("art", artifactId), at: new Date(time).toISOString() };
}

/** @throws invalid_request for a cursor that is not of a list by time */
export function listRecents(context: Context, input: Input<"recent.list">): Promise<Output<"recent.list">> {
  const person = uuidOf("usr", requirePerson(context.principal).userId);
  const latest = sql`SELECT * FROM ${recentView} WHERE ${recentView.userId} = ${person}
    ORDER BY ${recentView.viewedAt} DESC LIMIT ${sql.raw(String(recentArtifacts))}`;
  const [id, place] = [sql`latest.artifact_id`, sql`latest.viewed_at`];
  return artifactPage(
    context,
    input,
    "updated",
    (after, count) => sql`SELECT ${id}, ${place} AS place FROM (${latest}) AS latest
      CROSS JOIN LATERAL (
        SELECT FROM ${artifact} WHERE ${artifact.artifactId} = ${id} AND ${visibleArtifacts(context)} LIMIT 1) AS seen
      WHERE ${all([sql`true`, ...beyond(place, id, "updated", after)])}
      ORDER BY ${place} DESC, ${id} DESC LIMIT ${sql.raw(String(count))}`,
  );
}

/** The time comes first and in a separate statement, so that what any process has not yet written by then stays out. */
export async function clearRecents({ db, principal }: Context): Promise<Output<"recent.clear">> {
  const { userId } = requirePerson(principal);
  await db.orm.update(user).set({ recentsClearedAt: new Date() }).where(eq(user.userId, userId));
  await db.orm.delete(recentView).where(eq(recentView.userId, userId));
  return {};
}
