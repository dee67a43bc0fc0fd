// The instance's figures (docs/reference/contract.md §1).
import type { Output } from "@plinth/contract/registry";

import type { Context } from "../context.ts";

interface Row {
  users: number;
  workspaces: number;
  projects: number;
  artifacts: number;
  versions: string;
  content_bytes: string;
  database_bytes: string;
  outbox_rows: number;
  outbox_oldest: Date | null;
}

const statement = `
SELECT
  (SELECT count(*)::int FROM "user") AS users,
  (SELECT count(*)::int FROM workspace) AS workspaces,
  (SELECT count(*)::int FROM project WHERE deleted_at IS NULL) AS projects,
  (SELECT count(*)::int FROM artifact WHERE deleted_at IS NULL) AS artifacts,
  (SELECT count(*) FROM version) AS versions,
  (SELECT coalesce(sum(size_bytes), 0) FROM content) AS content_bytes,
  pg_database_size(current_database()) AS database_bytes,
  (SELECT count(*)::int FROM outbox WHERE handed_over_at IS NULL) AS outbox_rows,
  (SELECT min(created_at) FROM outbox WHERE handed_over_at IS NULL) AS outbox_oldest`;

export async function stats(context: Context): Promise<Output<"operator.stats">> {
  const { queue } = context;
  const [[row], counts, schedules] = await Promise.all([
    context.db.run<Row>(statement),
    queue.counts(),
    queue.schedules(),
  ]);
  if (row === undefined) throw new Error("the figures did not come back");
  const { users, workspaces, projects, artifacts } = row;
  return {
    users,
    workspaces,
    projects,
    artifacts,
    versions: Number(row.versions),
    contentBytes: Number(row.content_bytes),
    databaseBytes: Number(row.database_bytes),
    queue: counts,
    schedules,
    outbox: { rows: row.outbox_rows, oldestAt: row.outbox_oldest?.toISOString() ?? null },
  };
}
