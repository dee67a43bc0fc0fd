// Reads the subscription from Stripe for a user who returns from there, without waiting for an event.
import type { Input } from "@plinth/contract/registry";
import type { Billing } from "@plinth/contract/schemas/billing";

import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { systemCause } from "../audit/system-cause.ts";
import { inTurn, requireBilling } from "./configured.ts";
import { billingOf } from "./get.ts";
import { payingWorkspace } from "./paying.ts";
import { syncAccount } from "./sync.ts";

/** @throws billing_unavailable */
export async function refreshBilling(
  context: Context,
  _input: Input<"billing.refresh">,
  workspace: WorkspaceRow,
): Promise<Billing> {
  const billing = requireBilling(context);
  const { db, config, call } = context;
  const { workspaceId } = await payingWorkspace(context, workspace);
  const host = { db, billing, config };
  await inTurn(workspaceId, () => syncAccount(host, workspaceId, systemCause(call.requestId)));
  return billingOf(context, workspace);
}
