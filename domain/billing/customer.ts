// The customer that a workspace is at Stripe.
import { createHash } from "node:crypto";

import type { Database } from "@plinth/db/connection";
import { billingAccount } from "@plinth/db/schema/billing";
import { eq } from "drizzle-orm";

import type { WorkspaceRow } from "../access/resource.ts";
import type { Billing } from "../services.ts";
import type { BillingAccount, Customer } from "./account.ts";

const keyMs = 10 * 60_000;

interface Who {
  readonly workspace: WorkspaceRow;
  readonly email: string;
  readonly publicUrl: string;
}

/** The account's customer, made where there is none. Expects the account to be locked. @throws StripeError */
export async function requireCustomer(
  db: Database,
  { stripe }: Billing,
  account: BillingAccount,
  { workspace, email, publicUrl }: Who,
): Promise<Customer> {
  if (account.customerId !== null) return { ...account, customerId: account.customerId };
  const { workspaceId, name } = workspace;
  const wanted = { email, name, metadata: { workspaceId, instance: publicUrl } };
  // The idempotency key returns the same customer where an earlier try reached Stripe and was not stored here; another
  // one after the customer was deleted, or where another is needed. Stripe also repeats failures for a key, so each key
  // is valid for ten minutes.
  const turn = Math.floor(Date.now() / keyMs);
  const key = createHash("sha256")
    .update(JSON.stringify([turn, account.formerCustomerId, wanted]))
    .digest("hex");
  const { id: customerId } = await stripe.customers.create(wanted, { idempotencyKey: `plinth/customer/${key}` });
  await db.orm.update(billingAccount).set({ customerId }).where(eq(billingAccount.workspaceId, workspaceId));
  return { ...account, customerId };
}
