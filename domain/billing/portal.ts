// The page at Stripe where people pay, change and cancel what they have bought.
import { AppError } from "@plinth/contract/errors";
import type { PaidPlanId } from "@plinth/contract/plans";
import type { Input, Output } from "@plinth/contract/registry";
import Stripe from "stripe";

import { requirePerson } from "../access/principal.ts";
import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { billingPage } from "../plans/page.ts";
import type { Billing } from "../services.ts";
import { lockNewAccount, type Customer } from "./account.ts";
import { inTurn, requireBilling } from "./configured.ts";
import { requireCustomer } from "./customer.ts";
import { payingWorkspace } from "./paying.ts";
import { keyOf } from "./stripe.ts";

/** @throws billing_unavailable; forbidden where the plan is another workspace's */
export async function openPortal(
  context: Context,
  _input: Input<"billing.portal">,
  workspace: WorkspaceRow,
): Promise<Output<"billing.portal">> {
  const billing = requireBilling(context);
  const { email } = requirePerson(context.principal);
  const paying = await payingWorkspace(context, workspace);
  if (paying.workspaceId !== workspace.workspaceId) {
    throw new AppError("forbidden", `This team uses the plan of ${paying.slug}, which pays for it`, {
      hint: "Its owner can open their portal, or this team can buy its own plan through checkout",
    });
  }
  const { publicUrl } = context.config;
  const url = await inTurn(workspace.workspaceId, () =>
    context.db.transaction(async (db) => {
      const account = await lockNewAccount(db, workspace.workspaceId);
      const customer = await requireCustomer(db, billing, account, { workspace, email, publicUrl });
      return portalUrl(context, billing, customer, workspace);
    }),
  );
  return { url };
}

interface Change {
  readonly price: string;
  readonly plan: PaidPlanId;
  /** At least; more where more is bought. */
  readonly quantity: number;
}

/** The portal, at the change that is wanted where there is one. @throws StripeError */
export async function portalUrl(
  { config }: Context,
  { stripe }: Billing,
  { customerId, subscriptionId, workspaceId }: Customer,
  { slug }: WorkspaceRow,
  change?: Change,
): Promise<string> {
  const place = { customer: customerId, return_url: billingPage(config, slug, "portal") };
  if (change !== undefined && subscriptionId !== null) {
    const { items } = await stripe.subscriptions.retrieve(subscriptionId);
    const item = items.data[0];
    const { price, plan } = change;
    // Who pays by another interval keeps the seats they have.
    const quantity = plan === "team" ? Math.max(change.quantity, item?.quantity ?? 0) : change.quantity;
    const flow = {
      type: "subscription_update_confirm" as const,
      subscription_update_confirm: { subscription: subscriptionId, items: [{ id: item?.id ?? "", price, quantity }] },
    } satisfies Stripe.BillingPortal.SessionCreateParams.FlowData;
    try {
      const { url } = await stripe.billingPortal.sessions.create(
        { ...place, flow_data: flow },
        keyOf("portal", workspaceId),
      );
      return url;
    } catch (error) {
      // The operator has not allowed changes in the portal's settings: there people see what they can do.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    }
  }
  const { url } = await stripe.billingPortal.sessions.create(place, keyOf("portal", workspaceId));
  return url;
}
