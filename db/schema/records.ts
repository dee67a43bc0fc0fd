// What a write leaves beside its rows: the audit event, the job to come, the answer to a repeated request.
import type { AuditKind, Surface } from "@plinth/contract/audit-kinds";
import type { Actor } from "@plinth/contract/schemas/actor";
import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";

import { bytes, id, json, time } from "../columns.ts";

export const auditEvent = pgTable(
  "audit_event",
  {
    eventId: id("evt").primaryKey(),
    occurredAt: time()
      .notNull()
      .default(sql`now()`),
    kind: text().$type<AuditKind>().notNull(),
    actor: json<Actor>().notNull(),
    surface: text().$type<Surface>().notNull(),
    /** No foreign keys: events outlive what they are about. */
    workspaceId: id("wsp"),
    artifactId: id("art"),
    targetType: text().notNull(),
    targetId: text().notNull(),
    before: json<unknown>(),
    after: json<unknown>(),
    requestId: text().notNull(),
    /** The program that says it asked, where the surface has it named; claimed, not proven. */
    client: text(),
  },
  (table) => [
    index("audit_event_artifact").on(table.artifactId, table.eventId),
    index("audit_event_workspace").on(table.workspaceId, table.eventId),
  ],
);

/** Jobs to be handed to the queue; a row goes once the queue has it. */
export const outbox = pgTable("outbox", {
  jobId: id("job").primaryKey(),
  kind: text().notNull(),
  payload: json<Record<string, unknown>>().notNull(),
  createdAt: time()
    .notNull()
    .default(sql`now()`),
});

/** The worker processes that are alive, each saying so now and then, for health. */
export const workerProcess = pgTable("worker_process", {
  workerId: uuid().primaryKey(),
  startedAt: time()
    .notNull()
    .default(sql`now()`),
  seenAt: time()
    .notNull()
    .default(sql`now()`),
  /** What it takes pictures with; null where it found nothing. */
  browser: text(),
});

export const idempotency = pgTable(
  "idempotency",
  {
    principal: text().notNull(),
    key: text().notNull(),
    /** SHA-256 over operation and input. */
    request: bytes().notNull(),
    status: integer(),
    /** The first answer without its secrets: JSON, kept as it was written. */
    answer: text(),
    createdAt: time()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.principal, table.key] }), index("idempotency_created").on(table.createdAt)],
);
