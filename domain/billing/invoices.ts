// Lists the invoices of a workspace from Stripe.
import type { Input, Output } from "@plinth/contract/registry";
import { pageLimit } from "@plinth/contract/limits";

import type { WorkspaceRow } from "../access/resource.ts";
import type { Context } from "../context.ts";
import { cursorOf, readCursor, wrongCursor } from "../page.ts";
import { findAccount } from "./account.ts";
import { requireBilling } from "./configured.ts";
import { asked, isMissing } from "./stripe.ts";

/** Of the workspace's own customer alone: what a team's holder is billed is not the team's. @throws billing_unavailable */
export async function listInvoices(
  context: Context,
  { limit = pageLimit.default, cursor }: Input<"billing.invoices">,
  { workspaceId }: WorkspaceRow,
): Promise<Output<"billing.invoices">> {
  const { stripe } = requireBilling(context);
  const after = cursor === undefined ? {} : { starting_after: readCursor("invoices", cursor, /^in_\w{1,255}$/) };
  const account = await findAccount(context.db, workspaceId);
  const customer = account?.customerId ?? null;
  if (customer === null) return { invoices: [], nextCursor: null };
  const { data, has_more } = await asked(() =>
    stripe.invoices.list({ customer, limit, ...after }).catch((error: unknown) => {
      if (cursor !== undefined && isMissing(error)) throw wrongCursor();
      throw error;
    }),
  );
  const last = data.at(-1)?.id;
  return {
    invoices: data.map((invoice) => ({
      number: invoice.number,
      status: invoice.status ?? "draft",
      amount: invoice.total,
      currency: invoice.currency,
      createdAt: new Date(invoice.created * 1000).toISOString(),
      url: invoice.hosted_invoice_url ?? null,
    })),
    nextCursor: has_more && last !== undefined ? cursorOf("invoices", last) : null,
  };
}
