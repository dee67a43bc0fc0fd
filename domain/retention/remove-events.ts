// Removes audit events past their workspace's days, along the index of what they belong to
// (docs/reference/contract.md §6). Those of a workspace that is gone, or of none, are kept as long as any.
import { planIds } from "@plinth/contract/plans";
import { nilUuid } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { auditedFrom, keepingPlan, longestAudited } from "../plans/days.ts";
import type { Deadline } from "./deadline.ts";

/** Events of one transaction, so that no lock is held for long. */
const eventsAtOnce = 500;
const workspacesAtOnce = 200;

/**
 * Identifiers are ordered by the clock of the process that wrote the event; its time is the database's. Where the
 * clocks differ by more than this, in ms, an event is deleted that much later.
 */
const clocksApartMs = 3_600_000;

const bounds = "json_to_recordset($1::text::json) AS b(plan text, until timestamptz, id uuid)";
const planOf = (workspace: string) =>
  `coalesce((SELECT ${keepingPlan("w", "$3::text::timestamptz")} FROM workspace w WHERE w.workspace_id = ${workspace}), '${longestAudited}')`;

/** The next workspaces that have events, each looked up from the one before along the index, and whether any is due. */
const workspacesStatement = `
WITH RECURSIVE walk AS (
  (SELECT e.workspace_id FROM audit_event e WHERE e.workspace_id > $2 ORDER BY e.workspace_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT e.workspace_id FROM audit_event e WHERE e.workspace_id > walk.workspace_id ORDER BY e.workspace_id LIMIT 1)
  FROM walk WHERE walk.workspace_id IS NOT NULL
), walked AS MATERIALIZED (
  SELECT workspace_id, ${planOf("walk.workspace_id")} AS plan
  FROM walk WHERE workspace_id IS NOT NULL LIMIT ${workspacesAtOnce}
)
SELECT walked.workspace_id, (
  SELECT true FROM audit_event e
  WHERE e.workspace_id = walked.workspace_id AND e.event_id < b.id AND e.occurred_at < b.until
  ORDER BY e.event_id LIMIT 1) AS is_due
FROM walked JOIN ${bounds} ON b.plan = walked.plan
ORDER BY walked.workspace_id`;

/** By the plan of now: one changed in time saves what it keeps longer. */
const removeStatement = (ofWorkspace: string, plan: string) => `
WITH bound AS MATERIALIZED (
  SELECT b.id, b.until FROM ${bounds} WHERE b.plan = ${plan}
), gone AS (
  DELETE FROM audit_event WHERE ctid = ANY (ARRAY(
    SELECT e.ctid FROM audit_event e
    WHERE ${ofWorkspace} AND e.event_id < (SELECT id FROM bound) AND e.occurred_at < (SELECT until FROM bound)
    ORDER BY e.event_id
    LIMIT ${eventsAtOnce}
    FOR UPDATE SKIP LOCKED))
  RETURNING 1
)
SELECT count(*)::int AS gone FROM gone`;
const removeOfWorkspace = removeStatement("e.workspace_id = $2", planOf("$2"));
const removeOfNone = removeStatement("e.workspace_id IS NULL", `'${longestAudited}'`);

/** Removes what is due everywhere, and says whether it came to the end of it; two at once share the work. */
export async function removeEvents(db: Database, now: Date, deadline: Deadline): Promise<boolean> {
  const until = boundsAt(now);
  const at = now.toISOString();
  let workspaces: { workspace_id: string; is_due: true | null }[];
  let after = nilUuid;
  do {
    workspaces = await db.run(workspacesStatement, [until, after, at]);
    for (const { workspace_id, is_due } of workspaces) {
      if (is_due && !(await removeAll(db, removeOfWorkspace, [until, workspace_id, at], deadline))) return false;
      after = workspace_id;
    }
  } while (workspaces.length > 0);
  return removeAll(db, removeOfNone, [until], deadline);
}

async function removeAll(db: Database, statement: string, parameters: string[], deadline: Deadline): Promise<boolean> {
  let gone: number | undefined;
  do {
    if (deadline.hasPassed()) return false;
    gone = (await db.run<{ gone: number }>(statement, parameters))[0]?.gone;
  } while (gone === eventsAtOnce);
  return true;
}

/** For each plan the time from which on events are kept, and the least identifier that is surely of later. */
function boundsAt(now: Date): string {
  const rows = planIds.map((plan) => {
    const until = auditedFrom(plan, now);
    return { plan, until: until.toISOString(), id: firstIdOf(until.getTime() + clocksApartMs) };
  });
  return JSON.stringify(rows);
}

/** A UUIDv7 begins with the milliseconds of its making. */
function firstIdOf(ms: number): string {
  const digits = ms.toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
