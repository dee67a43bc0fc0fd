// Starts a purchase: one Stripe page at a time for each workspace, and none where it has a subscription, which is
// changed instead. So no user pays twice, however often and wherever they click.
import { AppError } from "@plinth/contract/errors";
import { entitlementsOf } from "@plinth/contract/plans";
import type { Input, Output } from "@plinth/contract/registry";
import type { Database } from "@plinth/db/connection";

import { requirePerson } from "../access/principal.ts";
import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { invalid } from "../input.ts";
import { seatsOf } from "../plans/seats.ts";
import { systemCause } from "../audit/system-cause.ts";
import type { Billing } from "../services.ts";
import { lockNewAccount } from "./account.ts";
import { inTurn, requireBilling } from "./configured.ts";
import { requireCustomer } from "./customer.ts";
import { portalUrl } from "./portal.ts";
import { closeSessions, openSessions, sessionUrl } from "./sessions.ts";
import { isLiving } from "./subscription.ts";
import { syncLocked } from "./sync.ts";

type Wanted = Input<"billing.checkout">;

/** @throws billing_unavailable, invalid_request for a plan that no team can have */
export async function checkout(
  context: Context,
  wanted: Wanted,
  workspace: WorkspaceRow,
): Promise<Output<"billing.checkout">> {
  const billing = requireBilling(context);
  const { stripe } = billing;
  if (workspace.kind === "team" && wanted.plan !== "team")
    throw invalid([{ path: "plan", message: "must be team for a team workspace" }]);
  const { email } = requirePerson(context.principal);
  const { config, call } = context;
  const url = await inTurn(workspace.workspaceId, async () => {
    const price = await priceOf(billing, wanted);
    return context.db.transaction(async (db) => {
      const { workspaceId } = workspace;
      const who = { workspace, email, publicUrl: config.publicUrl };
      const customer = await requireCustomer(db, billing, await lockNewAccount(db, workspaceId), who);
      // Before the subscriptions: a page that is paid from now on is one of these.
      const open = await openSessions(stripe, customer.customerId);
      const now = await syncLocked({ db, billing, config }, customer, systemCause(call.requestId), new Date());
      const quantity = wanted.plan === "team" ? await seatsWanted(db, workspace) : 1;
      // Another one where the customer was deleted at Stripe.
      const buyer = await requireCustomer(db, billing, now, who);
      if (!isLiving(buyer)) return sessionUrl(context, stripe, buyer, workspace, { ...wanted, price, quantity }, open);
      await closeSessions(stripe, open);
      const isOther = buyer.plan !== wanted.plan || buyer.interval !== wanted.interval;
      const change = isOther && buyer.status !== "past_due" && buyer.status !== "unpaid";
      return portalUrl(context, billing, buyer, workspace, change ? { price, quantity, plan: wanted.plan } : undefined);
    });
  });
  return { url };
}

/** @throws billing_unavailable where that is not sold */
async function priceOf({ prices }: Billing, { plan, interval }: Wanted): Promise<string> {
  const offer = await prices.offer();
  const price = offer.prices[plan].find((one) => one.interval === interval);
  if (price !== undefined) return price.id;
  throw new AppError("billing_unavailable", `This instance does not sell the ${plan} plan by the ${interval}`, {
    hint: "Choose another plan, or ask the operator",
    retryAfterSeconds: 3600,
  });
}

/** A team's price is for each seat: as many as the plan includes, or as are taken. */
async function seatsWanted(db: Database, { workspaceId }: WorkspaceRow): Promise<number> {
  const seats = await seatsOf(db, [{ workspaceId, planHolderId: null }]);
  return Math.max(entitlementsOf("team").seats, seats({ workspaceId, planHolderId: null }).used);
}
