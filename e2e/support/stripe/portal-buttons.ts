// Actions of the buttons on the portal's page.
import type Stripe from "stripe";

import { cancelAtPeriodEnd, payOpenInvoices, resume } from "./control.ts";
import { customerOf, requireCustomer } from "./customers.ts";
import { invalid, missing } from "./failure.ts";
import type { Form } from "./form.ts";
import { requirePortalSession } from "./portal.ts";
import { change } from "./selling.ts";
import { isOver, requireSubscription } from "./subscriptions.ts";
import type { Setup } from "./setup.ts";

/** Does what a button of the page says, and answers where to go then. @throws StripeFailure */
export function pressedInPortal(setup: Setup, id: string, form: Form): string {
  const { customer } = requirePortalSession(setup, id);
  requireCustomer(setup, customer);
  const step = form.get("do");
  if (step === "good-card") setup.declined.delete(customer);
  else if (step === "bad-card") setup.declined.add(customer);
  else pressed(setup, ownSubscription(setup, customer, form), form);
  return `/p/session/${id}`;
}

function pressed(setup: Setup, { id }: Stripe.Subscription, form: Form): void {
  const step = form.get("do");
  if (step === "cancel") cancelAtPeriodEnd(setup, id);
  else if (step === "resume") resume(setup, id);
  else if (step === "pay") payOpenInvoices(setup, id);
  else if (step === "change" && setup.settings.portalChanges) {
    const [price, quantity] = [form.get("price"), Number(form.get("quantity"))];
    if (typeof price !== "string" || !Number.isSafeInteger(quantity) || quantity < 1)
      throw invalid("A plan and a quantity of at least 1 are needed", "quantity");
    change(setup, id, { price, quantity });
  } else throw invalid("There is no such button", "do");
}

function ownSubscription(setup: Setup, customer: string, form: Form): Stripe.Subscription {
  const id = form.get("subscription");
  const subscription = requireSubscription(setup, typeof id === "string" ? id : "", "subscription");
  if (customerOf(subscription) !== customer || isOver(subscription))
    throw missing("subscription", subscription.id, "subscription");
  return subscription;
}
