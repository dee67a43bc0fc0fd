// Counts the loads of each artifact's page: in a write buffer while pages are answered, and written by one statement.
// Counts since the last flush are lost with the process. No data about a reader is kept.
import { viewDays } from "@plinth/contract/limits";
import type { Input, Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { pageView } from "@plinth/db/schema/artifacts";
import { createWriteBuffer } from "@plinth/platform/write-buffer";
import { and, asc, eq, gt } from "drizzle-orm";

import { withoutLink, type Principal, roleIn } from "../access/principal.ts";
import type { ArtifactRow, DecidedArtifact } from "../access/resource.ts";
import type { Context } from "../context.ts";
import type { PageViews } from "../services.ts";

/** Between two flushes. */
export const pageViewsFlushMs = 5_000;

const dayMs = 86_400_000;

/** The day in UTC. */
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Locked in the order of creation, as elsewhere (sharing/uses.ts). Artifacts that were purged in between are left out. */
const flushStatement = `
  WITH counted AS MATERIALIZED (
    SELECT n.* FROM json_to_recordset($1::text::json) AS n(artifact uuid, day date, views bigint)
    JOIN artifact a ON a.artifact_id = n.artifact
    ORDER BY a.artifact_id, n.day
    FOR KEY SHARE OF a
  )
  INSERT INTO page_view AS known (artifact_id, day, views)
  SELECT artifact, day, views FROM counted ORDER BY artifact, day
  ON CONFLICT (artifact_id, day) DO UPDATE SET views = known.views + excluded.views`;

/** Removes the days that are not listed any more. */
export const staleViews = `DELETE FROM page_view WHERE day <= (now() AT TIME ZONE 'UTC')::date - ${viewDays.max}`;

export function createPageViews(db: Database): PageViews {
  const { record, ...flushed } = createWriteBuffer<number>(
    (known, more) => known + more,
    (collected) => db.run(flushStatement, [JSON.stringify(collected.map(rowOf))]),
  );
  return {
    record(principal, { artifactId, workspaceId }) {
      if (!isMember(principal, workspaceId)) record(`${artifactId} ${dayOf(Date.now())}`, 1);
    },
    ...flushed,
  };
}

/** Whether the page was opened by a member of the artifact's workspace. */
function isMember(principal: Principal, workspaceId: DecidedArtifact["workspaceId"]): boolean {
  return roleIn(withoutLink(principal), workspaceId) !== null;
}

function rowOf([key, views]: readonly [string, number]): object {
  const [artifactId = "", day] = key.split(" ");
  return { artifact: uuidOf("art", artifactId), day, views };
}

/** Each of the latest days, the oldest first, also those without a view. */
export async function listViews(
  { db }: Context,
  { days = viewDays.default }: Input<"artifact.listViews">,
  { artifactId }: ArtifactRow,
): Promise<Output<"artifact.listViews">> {
  const now = Date.now();
  const rows = await db.orm
    .select({ day: pageView.day, views: pageView.views })
    .from(pageView)
    .where(and(eq(pageView.artifactId, artifactId), gt(pageView.day, dayOf(now - days * dayMs))))
    .orderBy(asc(pageView.day));
  const viewsOn = new Map(rows.map(({ day, views }) => [day, views]));
  const listed = Array.from({ length: days }, (_, index) => {
    const day = dayOf(now - (days - 1 - index) * dayMs);
    return { day, views: viewsOn.get(day) ?? 0 };
  });
  return { total: listed.reduce((sum, { views }) => sum + views, 0), days: listed };
}
