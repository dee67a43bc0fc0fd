// The fake's two pages and what their buttons do: a checkout session, and the portal. They work without scripts.
import type Stripe from "stripe";

import { amountOf, intervalOf, nameOf, requirePrice } from "./catalogue.ts";
import { paySession, requireSession } from "./checkout.ts";
import { Control } from "./control.ts";
import { customerOf, requireCustomer } from "./customers.ts";
import { declined, invalid, missing, StripeFailure } from "./failure.ts";
import { invoicesOf } from "./invoices.ts";
import { requirePortalSession } from "./portal.ts";
import type { State } from "./state.ts";
import { isOver, onlyItem, requireSubscription } from "./subscriptions.ts";

interface Shown {
  readonly status: number;
  /** Where a button leads. */
  readonly location?: string;
  readonly html: string;
}

interface Page {
  readonly path: RegExp;
  /** @throws StripeFailure */
  readonly show: (state: State, id: string) => string;
  /** Does what a form asks and answers where to go then. @throws StripeFailure, which the page says */
  readonly press: (state: State, id: string, form: URLSearchParams) => string;
}

const pages: readonly Page[] = [
  { path: /^\/c\/pay\/(\w+)$/, show: checkoutPage, press: pressInCheckout },
  { path: /^\/p\/session\/(\w+)$/, show: portalPage, press: pressInPortal },
];

export function pageAt(state: State, method: string, path: string, body: string): Shown {
  const page = pages.find((one) => one.path.test(path));
  const id = page?.path.exec(path)?.[1] ?? "";
  if (page === undefined) return { status: 404, html: documentOf("<h1>Nothing here</h1>") };
  try {
    if (method !== "POST") return { status: 200, html: documentOf(page.show(state, id)) };
    return { status: 303, location: page.press(state, id, new URLSearchParams(body)), html: "" };
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    const problem = `<p role="alert">${Bun.escapeHTML(error.message)}</p>`;
    return { status: error.status, html: documentOf(problem + showIfThere(page, state, id)) };
  }
}

function showIfThere({ show }: Page, state: State, id: string): string {
  try {
    return show(state, id);
  } catch (error) {
    if (error instanceof StripeFailure) return "";
    throw error;
  }
}

const documentOf = (body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stripe fake</title><link rel="icon" href="data:,">
<style>:root { color-scheme: light dark } body { max-width: 560px; margin: auto; font: 16px/1.5 system-ui }</style>
<p>Stripe fake: no money moves</p><main>${body}</main></html>`;

const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);

const dayOf = (seconds: number): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(seconds * 1000);

const linkTo = (url: string | null, label: string): string =>
  url === null ? "" : `<p><a href="${Bun.escapeHTML(url)}">${label}</a></p>`;

/** A form of one button, which also sends what it is about. */
const button = (step: string, label: string, fields: Readonly<Record<string, string | number>> = {}): string => {
  const hidden = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<form method="post">${hidden.join("")}<button name="do" value="${step}">${label}</button></form>`;
};

const offered = (state: State, price: Stripe.Price): string =>
  `${Bun.escapeHTML(nameOf(state, price))}, ${money(price.unit_amount ?? 0, price.currency)} per ${intervalOf(price)}`;

function checkoutPage(state: State, id: string): string {
  const { session, price: priceId, quantity, adjustable } = requireSession(state, id);
  const price = requirePrice(state, priceId);
  const back = linkTo(session.cancel_url, "Back");
  if (session.status === "complete") return `<h1>This was paid already.</h1>${back}`;
  if (session.status !== "open") return `<h1>This page is no longer open.</h1>${back}`;
  const bounds = adjustable === null ? "" : `min="${adjustable.minimum}" max="${adjustable.maximum}"`;
  const number = `<label>Quantity <input type="number" name="quantity" value="${quantity}" ${bounds} required></label>`;
  return `<h1>Subscribe to ${offered(state, price)}</h1>
<p>${money(amountOf(price, quantity), price.currency)} every ${intervalOf(price)} until it is cancelled</p>
<form method="post">${adjustable === null ? "" : number}
<label>Card <select name="card">
<option value="good">One that pays</option>
<option value="later">One that pays now and is declined later</option>
<option value="declined">One that is declined</option>
</select></label>
<button>Pay</button></form>${back}`;
}

function pressInCheckout(state: State, id: string, form: URLSearchParams): string {
  const { session } = requireSession(state, id);
  const quantity = form.get("quantity");
  const card = form.get("card");
  if (card === "declined") throw declined();
  paySession(state, id, quantity === null ? undefined : Number(quantity));
  if (card === "later") state.declined.add(customerOf(session));
  return session.success_url ?? state.url;
}

function portalPage(state: State, id: string): string {
  const { customer: customerId, flow, return_url: returnUrl } = requirePortalSession(state, id);
  const customer = requireCustomer(state, customerId);
  const back = linkTo(returnUrl, "Return");
  const change = changeOf(state, flow);
  if (change !== null) return change + back;
  const mine = [...state.subscriptions.values()].filter((one) => customerOf(one) === customerId);
  const rows = mine
    .flatMap(({ id: subscription }) => invoicesOf(state, subscription))
    .map(({ number, created, total, currency, status }) =>
      [number ?? "(draft)", dayOf(created), money(total, currency), status].join(" · "),
    );
  const isBad = state.declined.has(customerId);
  return `<h1>Billing of ${Bun.escapeHTML(customer.email ?? customerId)}</h1>
${mine
  .filter((one) => !isOver(one))
  .map((one) => subscriptionCard(state, one))
  .join("")}
<h2>The card ${isBad ? "is declined" : "pays"}</h2>
${isBad ? button("good-card", "Use one that pays") : button("bad-card", "Use one that is declined")}
<h2>Invoices</h2>${rows.map((row) => `<p>${row}</p>`).join("")}${back}`;
}

/** Asks to confirm the change that the page was opened for; null where there is none, or it was done. */
function changeOf(state: State, flow: Stripe.BillingPortal.Session["flow"]): string | null {
  const { subscription: id = "", items: [wanted] = [] } = flow?.subscription_update_confirm ?? {};
  const subscription = state.subscriptions.get(id);
  if (subscription === undefined || wanted === undefined || isOver(subscription)) return null;
  const has = onlyItem(subscription);
  const { price, quantity = 1 } = wanted;
  if (price === has.price.id && quantity === has.quantity) return null;
  return `<h1>Confirm the change</h1><p>From ${has.quantity} × ${offered(state, has.price)}</p>
<p>To ${quantity} × ${offered(state, requirePrice(state, price ?? ""))}</p>
${button("change", "Confirm", { subscription: id, price: price ?? "", quantity })}`;
}

function subscriptionCard(state: State, subscription: Stripe.Subscription): string {
  const { id, status, cancel_at_period_end: ends } = subscription;
  const { price, quantity, current_period_end: end } = onlyItem(subscription);
  const isOpen = invoicesOf(state, id).some((invoice) => invoice.status === "open");
  return `<h2>${quantity} × ${offered(state, price)}</h2>
<p>${ends ? "Ends" : "Renews"} on ${dayOf(end)} · ${status}</p>
${isOpen ? button("pay", "Pay the open invoice", { subscription: id }) : ""}
${ends ? button("resume", "Resume", { subscription: id }) : button("cancel", "Cancel at period end", { subscription: id })}`;
}

function pressInPortal(state: State, id: string, form: URLSearchParams): string {
  const customer = requireCustomer(state, requirePortalSession(state, id).customer).id;
  const people = new Control(state);
  const step = form.get("do");
  if (step === "good-card") people.acceptCard(customer);
  else if (step === "bad-card") people.declineCard(customer);
  else {
    const subscription = requireSubscription(state, form.get("subscription") ?? "", "subscription");
    if (customerOf(subscription) !== customer || isOver(subscription))
      throw missing("subscription", subscription.id, "subscription");
    if (step === "cancel") people.cancelAtPeriodEnd(subscription.id);
    else if (step === "resume") people.resume(subscription.id);
    else if (step === "pay") people.payOpenInvoices(subscription.id);
    else if (step === "change" && state.settings.portalChanges)
      people.change(subscription.id, { price: form.get("price") ?? "", quantity: Number(form.get("quantity")) });
    else throw invalid("There is no such button", "do");
  }
  return `/p/session/${id}`;
}
