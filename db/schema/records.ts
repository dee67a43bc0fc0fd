// Records that a write stores beside its rows: the audit event, the job, the response to a repeated request.
import type { AuditKind, Surface } from "@plinth/contract/audit-kinds";
import type { Actor } from "@plinth/contract/schemas/actor";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

import { bytes, currentTime, id, json, time } from "../columns.ts";

export const auditEvent = pgTable(
  "audit_event",
  {
    eventId: id("evt").primaryKey(),
    occurredAt: currentTime(),
    kind: text().$type<AuditKind>().notNull(),
    actor: json<Actor>().notNull(),
    surface: text().$type<Surface>().notNull(),
    /** No foreign keys: events outlive the rows that they describe. */
    workspaceId: id("wsp"),
    artifactId: id("art"),
    targetType: text().notNull(),
    targetId: text().notNull(),
    before: json<unknown>(),
    after: json<unknown>(),
    requestId: text().notNull(),
    /** The program that claims to have made the request, where the surface has its name; a claim, not proof. */
    client: text(),
  },
  (table) => [
    index("audit_event_artifact").on(table.artifactId, table.eventId),
    index("audit_event_workspace").on(table.workspaceId, table.eventId),
  ],
);

/**
 * Jobs for the queue. The relay deletes a row after the queue accepts the job; a row with `dedupeKey` stays until the
 * job has ended.
 */
export const outbox = pgTable(
  "outbox",
  {
    jobId: id("job").primaryKey(),
    kind: text().notNull(),
    payload: json<Record<string, unknown>>().notNull(),
    createdAt: currentTime(),
    /** At most one row has each key: jobs in turns have one, and their row stays until the job has ended. */
    dedupeKey: text(),
    /** The relay serves the workspaces in turn; set together with `dedupeKey`. */
    workspaceId: id("wsp"),
    /** When the queue accepted the job; null while the job waits here. */
    handedOverAt: time(),
  },
  (table) => [
    uniqueIndex()
      .on(table.dedupeKey)
      .where(sql`dedupe_key IS NOT NULL`),
    // The turns of each queue (turns-of-workspaces.ts): the rows of one workspace hide none of another's.
    index("outbox_turns_of_screenshots")
      .on(table.workspaceId, table.jobId)
      .where(sql`workspace_id IS NOT NULL AND handed_over_at IS NULL AND kind NOT IN ('packages', 'images')`),
    index("outbox_turns_of_packages")
      .on(table.workspaceId, table.jobId)
      .where(sql`workspace_id IS NOT NULL AND handed_over_at IS NULL AND kind = 'packages'`),
    index("outbox_turns_of_images")
      .on(table.workspaceId, table.jobId)
      .where(sql`workspace_id IS NOT NULL AND handed_over_at IS NULL AND kind = 'images'`),
    index()
      .on(table.workspaceId)
      .where(sql`handed_over_at IS NOT NULL`),
    // Health reads the oldest row of each kind (oldest-in-outbox.ts), independently of the number of waiting rows.
    index("outbox_waiting_pictures")
      .on(table.createdAt)
      .where(
        sql`handed_over_at IS NULL AND kind NOT IN ('packages', 'images') AND (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL)`,
      ),
    index("outbox_waiting_packages")
      .on(table.createdAt)
      .where(sql`handed_over_at IS NULL AND kind = 'packages'`),
    index("outbox_waiting_images")
      .on(table.createdAt)
      .where(sql`handed_over_at IS NULL AND kind = 'images'`),
    index("outbox_waiting_other")
      .on(table.createdAt)
      .where(sql`handed_over_at IS NULL AND NOT (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL)`),
  ],
);

/** The running worker processes. Each updates its row at intervals, for health. */
export const workerProcess = pgTable("worker_process", {
  workerId: uuid().primaryKey(),
  startedAt: currentTime(),
  seenAt: currentTime(),
  /** The browser for screenshots; null where the worker found none. */
  browser: text(),
});

/** One row, which every process updates at intervals: health reports whether that succeeded. */
export const healthCheck = pgTable(
  "health_check",
  { id: smallint().primaryKey().default(1), writtenAt: currentTime() },
  (table) => [check("health_check_one_row", sql`${table.id} = 1`)],
);

export const idempotency = pgTable(
  "idempotency",
  {
    principal: text().notNull(),
    key: text().notNull(),
    /** SHA-256 over operation and input. */
    request: bytes().notNull(),
    status: integer(),
    /** The first response without its secrets: JSON, stored as it was written. */
    answer: text(),
    createdAt: currentTime(),
  },
  (table) => [primaryKey({ columns: [table.principal, table.key] }), index("idempotency_created").on(table.createdAt)],
);

/** The processes that may answer from memory (domain/leases): a write of what they may answer waits for each. */
export const leaseHolder = pgTable("lease_holder", {
  holder: uuid().primaryKey(),
  /** The version of the messages that it understands. */
  protocol: smallint().notNull(),
  /** A write waits at most so long for it. */
  waitsMs: integer().notNull(),
  /** It did not confirm a message and cannot renew its lease. */
  ended: boolean().notNull().default(false),
  since: currentTime(),
});
