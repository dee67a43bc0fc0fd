// API keys made by the operator for a user (docs/reference/contract.md §1).
import { membership, user, workspace } from "@plinth/db/schema/accounts";
import { and, eq } from "drizzle-orm";

import { notFound } from "../access/refusals.ts";
import { transact, type Context } from "../context.ts";
import type { JsonHandler } from "../json-handler.ts";
import { mintApiKey } from "../credentials/api-keys.ts";
import { expiryOf } from "../credentials/expiry.ts";

/** @throws not_found where there is no such user, or they do not belong to the workspace */
export const createUserApiKey: JsonHandler<"operator.createApiKey"> = async (context, { userId, ...key }) => {
  const [owner] = await context.db.orm
    .select({ userId: user.userId, personal: workspace.workspaceId })
    .from(user)
    .leftJoin(workspace, eq(workspace.personalOf, user.userId))
    .where(eq(user.userId, userId));
  if (owner === undefined) throw notFound();
  if (key.workspaceId !== undefined) await requireMembership(context, userId, key.workspaceId);
  const { name, scopes, workspaceId = null } = key;
  const expiresAt = expiryOf(key.expiresAt, new Date());
  const wanted = { name, scopes, workspaceId, expiresAt, userId, parent: null, personalWorkspaceId: owner.personal };
  return transact(context, (inside) => mintApiKey(inside, wanted));
};

async function requireMembership(context: Context, userId: string, workspaceId: string): Promise<void> {
  const [found] = await context.db.orm
    .select({ role: membership.role })
    .from(membership)
    .where(and(eq(membership.userId, userId), eq(membership.workspaceId, workspaceId)));
  if (found === undefined) throw notFound();
}
