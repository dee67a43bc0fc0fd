// The audit event of a change, written in the transaction of its cause (contract 3). Never a token, never content.
import type { AuditKind } from "@plinth/contract/audit-kinds";
import { newId } from "@plinth/db/columns";
import { auditEvent } from "@plinth/db/schema/records";

import { actorOf } from "../access/principal.ts";
import type { Context } from "../context.ts";

export interface Change {
  readonly kind: AuditKind;
  readonly workspaceId: string | null;
  readonly artifactId?: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Expects to run in the transaction of the change. */
export async function record(context: Context, change: Change): Promise<void> {
  await context.db.orm.insert(auditEvent).values({
    eventId: newId("evt"),
    kind: change.kind,
    actor: actorOf(context.principal),
    surface: context.call.surface,
    workspaceId: change.workspaceId,
    artifactId: change.artifactId ?? null,
    targetType: change.target.type,
    targetId: change.target.id,
    before: change.before ?? null,
    after: change.after ?? null,
    requestId: context.call.requestId,
  });
}
