// Portal sessions: a page where a customer pays, changes and cancels what they have.
import type Stripe from "stripe";

import { requirePrice } from "./catalogue.ts";
import { quantities } from "./checkout.ts";
import { customerOf, requireCustomer } from "./customers.ts";
import { invalid, missing } from "./failure.ts";
import type { Parameters } from "./parameters.ts";
import { part, type State } from "./state.ts";
import { isOver, onlyItem, requireSubscription } from "./subscriptions.ts";

/** @throws StripeFailure */
export function createPortalSession(state: State, from: Parameters): Stripe.BillingPortal.Session {
  const customer = requireCustomer(state, from.required("customer")).id;
  const id = state.newId("bps");
  const session = part<Stripe.BillingPortal.Session>({
    id,
    object: "billing_portal.session",
    customer,
    flow: from.text("flow_data[type]") === undefined ? null : readFlow(state, customer, from),
    return_url: from.address("return_url") ?? null,
    url: `${state.url}/p/session/${id}`,
  });
  from.end();
  state.portalSessions.set(id, session);
  state.emit("billing_portal.session.created", session);
  return session;
}

type Flow = Stripe.BillingPortal.Session.Flow;
export type Confirm = NonNullable<Flow["subscription_update_confirm"]>;

const confirm = "subscription_update_confirm";
const path = `flow_data[${confirm}]`;

function readFlow(state: State, customer: string, from: Parameters): Flow {
  if (from.required("flow_data[type]") !== confirm)
    throw invalid(`This fake knows ${confirm} alone`, "flow_data[type]");
  const id = from.required(`${path}[subscription]`);
  const itemId = from.required(`${path}[items][0][id]`);
  const priceId = from.required(`${path}[items][0][price]`);
  const quantity = from.whole(`${path}[items][0][quantity]`, quantities);
  if (!state.settings.portalChanges)
    throw invalid("The subscription update feature in the portal configuration is disabled.", `${path}[subscription]`);
  const subscription = requireSubscription(state, id, `${path}[subscription]`);
  if (customerOf(subscription) !== customer) throw missing("subscription", id, `${path}[subscription]`);
  if (isOver(subscription)) throw invalid("This subscription cannot be updated: it is over.", `${path}[subscription]`);
  const has = onlyItem(subscription);
  if (has.id !== itemId) throw missing("subscription item", itemId, `${path}[items][0][id]`);
  const price = requirePrice(state, priceId, `${path}[items][0][price]`).id;
  const wanted = { id: itemId, price, quantity: quantity ?? has.quantity };
  if (price === has.price.id && wanted.quantity === has.quantity)
    throw invalid("The items have no change to the subscription.", `${path}[items]`);
  const update: Confirm = { discounts: null, items: [wanted], subscription: id };
  return part<Flow>({ type: confirm, subscription_update_confirm: update });
}

/** @throws StripeFailure */
export function requirePortalSession(state: State, id: string): Stripe.BillingPortal.Session {
  const session = state.portalSessions.get(id);
  if (session === undefined) throw missing("billing_portal.session", id);
  return session;
}
