// Portal sessions: a page where a customer pays, changes and cancels what they have.
import type Stripe from "stripe";

import { requirePrice } from "./catalogue.ts";
import { customerOf, requireCustomer } from "./customers.ts";
import { invalid, missing } from "./failure.ts";
import type { Parameters } from "./parameters.ts";
import { onlyItem } from "./subscription-record.ts";
import { isOver, requireSubscription } from "./subscriptions.ts";
import type { Setup } from "./setup.ts";

const confirm = "subscription_update_confirm";

export function readNewPortalSession(parameters: Parameters) {
  return {
    customer: parameters.required("customer"),
    returnUrl: parameters.address("return_url") ?? null,
    flow: parameters.nested("flow_data", readFlow),
  };
}

function readFlow(parameters: Parameters) {
  const type = parameters.required("type");
  if (type !== confirm) throw invalid(`This double knows ${confirm} alone`, parameters.nameOf("type"));
  const change = parameters.nested(confirm, (inner) => ({
    subscription: inner.required("subscription"),
    items: inner.list("items", (list, index) =>
      list.nested(index, (item) => ({
        id: item.required("id"),
        price: item.text("price"),
        quantity: item.whole("quantity", { least: 1, most: 999_999 }),
      })),
    ),
  }));
  const item = change?.items?.[0];
  if (change === undefined || item === undefined)
    throw invalid(`Missing required param: flow_data[${confirm}].`, `flow_data[${confirm}]`, "parameter_missing");
  return { subscription: change.subscription, ...item };
}

type Wanted = ReturnType<typeof readNewPortalSession>;

/** @throws StripeFailure */
export function createPortalSession(setup: Setup, { customer, returnUrl, flow }: Wanted): Stripe.BillingPortal.Session {
  requireCustomer(setup, customer);
  const id = setup.newId("bps");
  const session: Stripe.BillingPortal.Session = {
    id,
    object: "billing_portal.session",
    configuration: "bpc_double",
    created: setup.clock.now(),
    customer,
    customer_account: null,
    flow: flow === undefined ? null : flowOf(setup, customer, flow),
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: returnUrl,
    url: `${setup.url}/p/session/${id}`,
  };
  setup.portalSessions.set(id, session);
  setup.emit({ type: "billing_portal.session.created", data: { object: session } });
  return session;
}

function flowOf(setup: Setup, customer: string, flow: NonNullable<Wanted["flow"]>): Stripe.BillingPortal.Session.Flow {
  const path = `flow_data[${confirm}]`;
  if (!setup.settings.portalChanges) {
    const off =
      "This subscription cannot be updated because the subscription update feature in the portal configuration";
    throw invalid(`${off} is disabled.`, `${path}[subscription]`);
  }
  const subscription = requireSubscription(setup, flow.subscription, `${path}[subscription]`);
  if (customerOf(subscription) !== customer) throw missing("subscription", flow.subscription, `${path}[subscription]`);
  if (isOver(subscription)) throw invalid("This subscription cannot be updated: it is over.", `${path}[subscription]`);
  const item = onlyItem(subscription);
  if (item.id !== flow.id) throw missing("subscription item", flow.id, `${path}[items][0][id]`);
  const price = flow.price === undefined ? item.price : requirePrice(setup, flow.price, `${path}[items][0][price]`);
  const quantity = flow.quantity ?? item.quantity ?? 1;
  if (price.id === item.price.id && quantity === item.quantity)
    throw invalid("The items have no change to the subscription.", `${path}[items]`);
  return {
    after_completion: { hosted_confirmation: null, redirect: null, type: "portal_homepage" },
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: {
      discounts: null,
      items: [{ id: item.id, price: price.id, quantity }],
      subscription: subscription.id,
    },
    type: confirm,
  };
}

/** @throws StripeFailure */
export function requirePortalSession(setup: Setup, id: string): Stripe.BillingPortal.Session {
  const session = setup.portalSessions.get(id);
  if (session === undefined) throw missing("billing_portal.session", id);
  return session;
}
