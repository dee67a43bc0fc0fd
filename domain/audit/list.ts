// Lists audit events (docs/reference/contract.md §3, "Audit event"): users who manage access to an artifact read its
// events, also after its deletion; workspace admins read all events of the workspace.
import type { Input, Output } from "@plinth/contract/registry";
import type { AuditEvent } from "@plinth/contract/schemas/audit";
import type { AuditKind, Surface } from "@plinth/contract/audit-kinds";
import { encodeId } from "@plinth/contract/ids";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import { isPersonPresent } from "../access/authenticate.ts";
import { administeredWorkspaces, type Principal } from "../access/principal.ts";
import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { parseTimestamp } from "../timestamp.ts";
import { pageOf, readPage } from "../page.ts";

// Reading audit events, newest first: of one artifact, or of several workspaces. Each is walked along its index from
// where the page begins, so that a page costs the same however many events there are.
interface EventFilter {
  readonly kind?: AuditKind;
  /** Who did it, or on whose behalf. */
  readonly actor?: string;
  readonly since?: Date | null;
  /** Exclusive, as `since` is not. */
  readonly until?: Date | null;
  /** The event that the page comes after. */
  readonly before: string | undefined;
  readonly limit: number;
}

const columns = `
  e.event_id, e.occurred_at, e.kind, e.actor, e.surface, e.workspace_id, e.artifact_id, e.target_type, e.target_id,
  e.before, e.after, e.request_id, e.client`;

/**
 * The newest events of one artifact or workspace that match the filter. The condition is a range on both columns of the
 * index rather than an equality, because PostgreSQL may otherwise scan the events of other workspaces. The highest
 * identifier stands for no cursor. The limit, which has few values, is part of the text: with an unknown limit
 * PostgreSQL plans for a tenth of the table and sorts all events of a large workspace. It would do the same for a
 * filter that it expects to be selective; the coalesce prevents that estimate.
 */
const newestOf = (column: "artifact_id" | "workspace_id", named: string, limit: number) => `
  SELECT ${columns} FROM audit_event e
  WHERE (e.${column}, e.event_id) < (${named}, coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    AND e.${column} >= ${named}
    AND coalesce(($3::text IS NULL OR e.kind = $3)
      AND ($4::text IS NULL OR e.actor ->> 'id' = $4 OR e.actor -> 'onBehalfOf' ->> 'userId' = $4)
      AND ($5::timestamptz IS NULL OR e.occurred_at >= $5)
      AND ($6::timestamptz IS NULL OR e.occurred_at < $6)
      AND ($7::uuid IS NULL OR e.workspace_id = $7), false)
  ORDER BY e.${column} DESC, e.event_id DESC
  LIMIT ${limit}`;

const ofArtifact = (limit: number) => newestOf("artifact_id", "$1::uuid", limit);

const ofWorkspaces = (limit: number) => `
  SELECT e.*
  FROM json_array_elements_text($1::text::json) AS w(workspace_id)
  CROSS JOIN LATERAL (${newestOf("workspace_id", "w.workspace_id::uuid", limit)}
  ) e
  ORDER BY e.event_id DESC
  LIMIT ${limit}`;

export const eventStatements = { ofArtifact, ofWorkspaces } as const;

interface Row {
  event_id: string;
  occurred_at: Date;
  kind: AuditKind;
  actor: Actor;
  surface: Surface;
  workspace_id: string | null;
  artifact_id: string | null;
  target_type: string;
  target_id: string;
  before: unknown;
  after: unknown;
  request_id: string;
  client: string | null;
}

/** Also of one that is gone; of one workspace alone where that is given. */
async function eventsOfArtifact(
  db: Database,
  artifactId: string,
  filter: EventFilter,
  workspaceId?: string,
): Promise<AuditEvent[]> {
  const within = workspaceId === undefined ? null : uuidOf("wsp", workspaceId);
  const rows = await db.run<Row>(ofArtifact(filter.limit), [uuidOf("art", artifactId), ...parameters(filter), within]);
  return rows.map(eventOf);
}

async function eventsOfWorkspaces(
  db: Database,
  workspaceIds: readonly string[],
  filter: EventFilter,
): Promise<AuditEvent[]> {
  const uuids = JSON.stringify(workspaceIds.map((workspaceId) => uuidOf("wsp", workspaceId)));
  return (await db.run<Row>(ofWorkspaces(filter.limit), [uuids, ...parameters(filter), null])).map(eventOf);
}

const parameters = ({ before, kind, actor, since, until }: EventFilter): unknown[] => [
  before === undefined ? null : uuidOf("evt", before),
  kind ?? null,
  actor ?? null,
  since ?? null,
  until ?? null,
];

const eventOf = (row: Row): AuditEvent => ({
  eventId: encodeId("evt", row.event_id),
  occurredAt: row.occurred_at.toISOString(),
  kind: row.kind,
  actor: row.actor,
  surface: row.surface,
  workspaceId: row.workspace_id === null ? null : encodeId("wsp", row.workspace_id),
  artifactId: row.artifact_id === null ? null : encodeId("art", row.artifact_id),
  target: { type: row.target_type, id: row.target_id },
  before: row.before,
  after: row.after,
  requestId: row.request_id,
  ...(row.client !== null && { client: row.client }),
});

/** Of one artifact, or of all the workspaces that the caller administers. */
export const listAuditEvents = (
  { db, principal }: Context,
  input: Input<"audit.list">,
  artifact: ArtifactRow | null,
): Promise<Output<"audit.list">> =>
  listed(principal, input, (filter) =>
    artifact === null
      ? eventsOfWorkspaces(db, administeredWorkspaces(principal), filter)
      : eventsOfArtifact(db, artifact.artifactId, filter),
  );

export const listWorkspaceAuditEvents = (
  { db, principal }: Context,
  input: Input<"audit.listInWorkspace">,
  { workspaceId }: WorkspaceRow,
): Promise<Output<"audit.listInWorkspace">> =>
  listed(principal, input, (filter) =>
    input.artifactId === undefined
      ? eventsOfWorkspaces(db, [workspaceId], filter)
      : eventsOfArtifact(db, input.artifactId, filter, workspaceId),
  );

async function listed(
  principal: Principal,
  input: Input<"audit.list">,
  select: (filter: EventFilter) => Promise<AuditEvent[]>,
): Promise<Output<"audit.list">> {
  const { limit, before } = readPage("auditEvents", "evt", input);
  const { since, until, ...filter } = input;
  const events = await select({
    ...filter,
    since: since === undefined ? null : parseTimestamp(since, "since"),
    until: until === undefined ? null : parseTimestamp(until, "until"),
    before,
    limit: limit + 1,
  });
  const { shown, nextCursor } = pageOf("auditEvents", events, limit, ({ eventId }) => eventId);
  return { auditEvents: isPersonPresent(principal) ? [...shown] : shown.map(withoutEmail), nextCursor };
}

/** As a program reads an event: without the address that an invitation went to, as in the list of members. */
const withoutEmail = (event: AuditEvent): AuditEvent => ({
  ...event,
  before: without(event.before),
  after: without(event.after),
});

function without(state: unknown): unknown {
  if (typeof state !== "object" || state === null || !("email" in state)) return state;
  const { email: _, ...rest } = state;
  return rest;
}
