// Operations on plans and their payment (docs/reference/contract.md §3 and §5). Customers buy and pay at Stripe: these
// operations return the state and the link to Stripe.
import Type from "typebox";

import { anyCaller, operation } from "../operation.ts";
import { paidPlanIds } from "../plans.ts";
import { Billing, Interval, Invoice, OfferedPlan } from "../schemas/billing.ts";
import { Body, Flag, List } from "../schemas/shape.ts";
import { page, Url, WorkspaceId } from "../schemas/text.ts";

const Destination = Type.Object({ url: Url });

const Offer = Type.Object({
  ...List("plans", OfferedPlan).properties,
  pricesKnown: Type.Boolean({ description: "False where plans are sold and Stripe has not reported the prices yet" }),
});

export const listPlans = operation({
  name: "billing.plans",
  summary: "List the plans and their prices",
  description: "Until Stripe was reached once, the list has no prices, and says so.",
  method: "GET",
  path: "/api/billing/plans",
  ...anyCaller,
  input: Body({}),
  output: Offer,
  etag: true,
});

export const getBilling = operation({
  name: "billing.get",
  summary: "Show a workspace's plan, payment state, usage and entitlements",
  description: "Your personal workspace unless another is named.",
  method: "GET",
  path: "/api/billing/me",
  scope: null,
  credential: "session",
  resource: { load: "workspace", permission: "billing", by: "idOrOwn" },
  input: Body({
    workspaceId: Type.Optional(WorkspaceId),
    withPlans: Flag("With the plans on offer, as `GET /api/billing/plans` lists them"),
  }),
  output: Type.Object({ ...Billing.properties, offer: Type.Optional(Offer) }),
});

export const refreshBilling = operation({
  name: "billing.refresh",
  summary: "Read a workspace's subscription from Stripe again",
  description: "The return page of checkout calls this, so that it need not wait for an event.",
  method: "POST",
  path: "/api/billing/refresh",
  scope: null,
  credential: "session",
  resource: { load: "workspace", permission: "billing", by: "id" },
  effect: "update",
  input: Body({ workspaceId: WorkspaceId }),
  output: Billing,
  errors: ["billing_unavailable"],
});

export const listInvoices = operation({
  name: "billing.invoices",
  summary: "List a workspace's invoices",
  description: "Your personal workspace's unless another is named.",
  method: "GET",
  path: "/api/billing/invoices",
  scope: null,
  credential: "session",
  resource: { load: "workspace", permission: "billing", by: "idOrOwn" },
  input: Body({ workspaceId: Type.Optional(WorkspaceId), ...page }),
  output: List("invoices", Invoice),
  errors: ["billing_unavailable", "forbidden"],
});

export const checkout = operation({
  name: "billing.checkout",
  summary: "Start buying a plan",
  description:
    "Returns the URL at Stripe to send the person to. Where the workspace already has a subscription, that is the " +
    "page to change it, so that no one pays twice.",
  method: "POST",
  path: "/api/billing/checkout",
  scope: null,
  credential: "session",
  resource: { load: "workspace", permission: "billing", by: "id" },
  effect: "update",
  input: Body({ workspaceId: WorkspaceId, plan: Type.Enum(paidPlanIds), interval: Interval }),
  output: Destination,
  errors: ["billing_unavailable"],
});

export const openPortal = operation({
  name: "billing.portal",
  summary: "Open Stripe's page for payment methods, invoices and cancelling",
  method: "POST",
  path: "/api/billing/portal",
  scope: null,
  credential: "session",
  resource: { load: "workspace", permission: "billing", by: "id" },
  effect: "update",
  input: Body({ workspaceId: WorkspaceId }),
  output: Destination,
  errors: ["billing_unavailable", "forbidden"],
});
