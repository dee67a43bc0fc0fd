// Audit events as the API returns them (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { auditKinds, surfaces } from "../audit-kinds.ts";
import { Actor } from "./actor.ts";
import { Nullable } from "./shape.ts";
import { ArtifactId, EventId, Time, WorkspaceId } from "./text.ts";

export const AuditKind = Type.Enum(auditKinds);

export const AuditEvent = Type.Object({
  eventId: EventId,
  occurredAt: Time,
  kind: AuditKind,
  actor: Actor,
  surface: Type.Enum(surfaces),
  workspaceId: Nullable(WorkspaceId),
  artifactId: Nullable(ArtifactId),
  target: Type.Object({ type: Type.String(), id: Type.String() }),
  before: Type.Unknown(),
  after: Type.Unknown(),
  requestId: Type.String(),
  client: Type.Optional(Type.String({ description: "Over MCP the program that asked, as it calls itself" })),
});
export type AuditEvent = Static<typeof AuditEvent>;
