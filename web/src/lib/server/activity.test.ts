import { expect, test } from "bun:test";

import type { AuditEvent } from "@plinth/contract/schemas/audit";

import { artifactActivity } from "./activity.ts";

const by = (actor: AuditEvent["actor"]): AuditEvent => ({
  eventId: `evt_${"0".repeat(26)}`,
  occurredAt: "2026-11-21T12:00:00.000Z",
  kind: "artifact.deleted",
  actor,
  surface: "web",
  workspaceId: null,
  artifactId: null,
  target: { type: "artifact", id: `art_${"0".repeat(26)}` },
  before: null,
  after: null,
  requestId: "request-1",
});

test("a person who took another's name is shown as a different person", () => {
  const called = { type: "user", id: "usr_1", label: "The operator" } as const;
  const [one, other] = artifactActivity({
    auditEvents: [by({ type: "operator", id: "operator", label: "Operator" }), by(called)],
    nextCursor: null,
  });
  expect(one?.sentence).toEqual(other?.sentence ?? []);
  expect([one?.client, other?.client]).toEqual([null, null]);
  expect([one?.actorId, other?.actorId]).toEqual(["operator", "usr_1"]);
});

test("the program that asked is told where it is known", () => {
  const event = by({ type: "user", id: "usr_1", label: "Ada" });
  const [row] = artifactActivity({
    auditEvents: [{ ...event, surface: "mcp", client: "Some client 1.0" }],
    nextCursor: null,
  });
  expect([row?.surface, row?.client]).toEqual(["mcp", "Some client 1.0"]);
});
