// What becomes of the keys and agents that someone had for one workspace alone, when they go.
import { credentialPrefix } from "@plinth/contract/credential-kinds";
import { encodeId } from "@plinth/contract/ids";
import { credential } from "@plinth/db/schema/accounts";
import { and, eq, isNull, sql } from "drizzle-orm";

import type { Context } from "../context.ts";
import { record } from "../records/audit.ts";

/**
 * Ends them, each with its audit event: they would count for nothing now, and for everything again on the day their
 * maker came back. Expects to run in the transaction of the removal.
 */
export async function endHeldCredentials(inside: Context, workspaceId: string, userId: string): Promise<void> {
  const ended = await inside.db.orm
    .update(credential)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(credential.workspaceId, workspaceId), eq(credential.userId, userId), isNull(credential.revokedAt)))
    .returning({ credentialId: credential.credentialId, kind: credential.kind, name: credential.name });
  for (const { credentialId, kind, name } of ended) {
    const type = kind === "api_key" ? ("api_key" as const) : ("agent" as const);
    const id = encodeId(credentialPrefix(kind), credentialId);
    await record(inside, { kind: `${type}.revoked`, workspaceId, target: { type, id }, before: { name, userId } });
  }
}
