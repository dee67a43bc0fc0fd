// The audit event of a change, written in the transaction of its cause (docs/reference/contract.md §3). Never a token,
// never content.
import type { AuditKind, Surface } from "@plinth/contract/audit-kinds";
import type { Actor } from "@plinth/contract/schemas/actor";
import { newId } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";
import { auditEvent } from "@plinth/db/schema/records";

import { actorOf } from "../access/principal.ts";
import type { Context } from "../context.ts";

/** Rows of one statement: a statement has a bound for its parameters. */
const eventsAtOnce = 1000;

export interface Change {
  readonly kind: AuditKind;
  readonly workspaceId: string | null;
  readonly artifactId?: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Who did it, through what, in which request. */
export interface Cause {
  readonly actor: Actor;
  readonly surface: Surface;
  readonly requestId: string;
  readonly client?: string;
}

/** The cause of what an operation changes. */
export const causeOf = ({ principal, call }: Context): Cause => ({
  actor: actorOf(principal),
  surface: call.surface,
  requestId: call.requestId,
  ...(call.client !== undefined && { client: call.client }),
});

/** Expects to run in the transaction of the change. */
export const record = (context: Context, change: Change): Promise<void> =>
  recordAs(context.db, causeOf(context), change);

/** The same for what no operation does, such as signing up or a job, and for many changes of one cause. */
export async function recordAs(
  db: Database,
  { actor, surface, requestId, client }: Cause,
  ...changes: readonly Change[]
): Promise<void> {
  for (let at = 0; at < changes.length; at += eventsAtOnce) {
    const events = changes.slice(at, at + eventsAtOnce).map((change) => ({
      eventId: newId("evt"),
      kind: change.kind,
      actor,
      surface,
      workspaceId: change.workspaceId,
      artifactId: change.artifactId ?? null,
      targetType: change.target.type,
      targetId: change.target.id,
      before: change.before ?? null,
      after: change.after ?? null,
      requestId,
      client: client ?? null,
    }));
    await db.orm.insert(auditEvent).values(events);
  }
}
