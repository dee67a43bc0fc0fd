// Checkout sessions: a page where a customer buys a subscription, open for a day.
import type Stripe from "stripe";

import { requirePrice } from "./catalogue.ts";
import { daySeconds, hourSeconds } from "./clock.ts";
import type { WantedSession } from "./checkout-request.ts";
import { customerOf, requireCustomer } from "./customers.ts";
import { declined, invalid, missing } from "./failure.ts";
import { amountOf } from "./invoice-lines.ts";
import { sell } from "./selling.ts";
import type { CheckoutSession, Setup } from "./setup.ts";

/** @throws StripeFailure */
export function createSession(setup: Setup, wanted: WantedSession): Stripe.Checkout.Session {
  const { item, customer, expiresAt } = wanted;
  const now = setup.clock.now();
  requireCustomer(setup, customer);
  const price = requirePrice(setup, item.price, "line_items[0][price]");
  if (!price.active)
    throw invalid("The price specified is inactive. This field only accepts active prices.", "line_items[0][price]");
  if (expiresAt !== undefined && (expiresAt < now + hourSeconds / 2 || expiresAt > now + daySeconds))
    throw invalid("The `expires_at` timestamp must be from 30 minutes to 24 hours away", "expires_at");
  const id = setup.newId("cs_test");
  const amount = amountOf(price, item.quantity);
  const session: Stripe.Checkout.Session = {
    id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: wanted.takesCodes,
    allowed_payment_method_types: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: wanted.cancel,
    client_reference_id: wanted.reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer,
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: expiresAt ?? now + daySeconds,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: wanted.metadata,
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "always",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: wanted.success,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${setup.url}/c/pay/${id}`,
    wallet_options: null,
  };
  const { quantity, adjustable } = item;
  setup.checkoutSessions.set(id, {
    session,
    price: price.id,
    quantity,
    adjustable,
    metadata: wanted.subscriptionMetadata,
  });
  return session;
}

/** @throws StripeFailure */
export function requireSession(setup: Setup, id: string): CheckoutSession {
  const session = setup.checkoutSessions.get(id);
  if (session === undefined) throw missing("checkout.session", id);
  return session;
}

/** @throws StripeFailure where it is not open */
export function expireSession(setup: Setup, id: string): Stripe.Checkout.Session {
  const { session } = requireOpen(setup, id, "expire");
  const expired = keep(setup, id, { status: "expired", url: null });
  setup.emit({ type: "checkout.session.expired", data: { object: expired } });
  return { ...session, ...expired };
}

/** What Pay does. @throws StripeFailure where the session is not open, or the card is declined: it stays open then */
export function paySession(setup: Setup, id: string, chosen?: number): Stripe.Subscription {
  const { session, price, quantity, adjustable, metadata } = requireOpen(setup, id, "pay");
  const bought = chosen ?? quantity;
  const { minimum, maximum } = adjustable ?? { minimum: quantity, maximum: quantity };
  if (!Number.isSafeInteger(bought) || bought < minimum || bought > maximum)
    throw invalid(`The quantity must be between ${minimum} and ${maximum}`, "quantity");
  const customer = requireCustomer(setup, customerOf(session)).id;
  if (setup.declined.has(customer)) throw declined();
  const subscription = sell(setup, { customer, price, quantity: bought, metadata });
  const completed = keep(setup, id, {
    status: "complete",
    payment_status: "paid",
    url: null,
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
    amount_total: amountOf(requirePrice(setup, price), bought),
  });
  setup.emit({ type: "checkout.session.completed", data: { object: completed } });
  return subscription;
}

function requireOpen(setup: Setup, id: string, step: string): CheckoutSession {
  const found = requireSession(setup, id);
  if (found.session.status === "open") return found;
  const message = `Only Checkout Sessions with a status in ["open"] can be ${step === "pay" ? "paid" : "expired"}.`;
  throw invalid(`${message} This Checkout Session has a status of ${found.session.status}.`, "session");
}

function keep(setup: Setup, id: string, changes: Partial<Stripe.Checkout.Session>): Stripe.Checkout.Session {
  const found = requireSession(setup, id);
  const session = { ...found.session, ...changes };
  setup.checkoutSessions.set(id, { ...found, session });
  return session;
}
