// Lists audit events (docs/reference/contract.md §3, "Audit event"): users who manage access to an artifact read its
// events, also after its deletion; workspace admins read all events of the workspace.
import type { Input, Output } from "@plinth/contract/registry";
import type { AuditEvent } from "@plinth/contract/schemas/audit";

import { isInPerson } from "../access/authenticate.ts";
import { administeredWorkspaces, type Principal } from "../access/principal.ts";
import type { ArtifactRow, WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { readTime } from "../given-time.ts";
import { pageOf, readPage } from "../page.ts";
import { eventsOfArtifact, eventsOfWorkspaces, type EventFilter } from "./select-events.ts";

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
    since: since === undefined ? null : readTime(since),
    until: until === undefined ? null : readTime(until),
    before,
    limit: limit + 1,
  });
  const { shown, nextCursor } = pageOf("auditEvents", events, limit, ({ eventId }) => eventId);
  return { auditEvents: isInPerson(principal) ? [...shown] : shown.map(withoutEmail), nextCursor };
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
