// The page of a portal session: what a customer has, what they can change, and what they were billed.
import type Stripe from "stripe";

import { intervalOf, requirePrice } from "./catalogue.ts";
import { customerOf, requireCustomer } from "./customers.ts";
import { nameOf } from "./invoice-lines.ts";
import { day, html, money, type Html } from "./pages.ts";
import { invoicesOf } from "./invoices.ts";
import { requirePortalSession } from "./portal.ts";
import { onlyItem } from "./subscription-record.ts";
import { isOver, requireSubscription } from "./subscriptions.ts";
import type { Setup } from "./setup.ts";

export function portalPage(setup: Setup, id: string, problem: string | null): Html {
  const session = requirePortalSession(setup, id);
  const { email } = requireCustomer(setup, session.customer);
  const confirm = session.flow?.subscription_update_confirm ?? null;
  const back = session.return_url === null ? html`` : html`<p><a href="${session.return_url}">Return</a></p>`;
  const said = problem === null ? html`` : html`<p class="error" role="alert">${problem}</p>`;
  const isWaiting = confirm !== null && isChange(setup, confirm);
  if (isWaiting) return html`${said} ${confirmation(setup, confirm)} ${back}`;
  const mine = [...setup.subscriptions.values()].filter((one) => customerOf(one) === session.customer);
  const living = mine.filter((one) => !isOver(one));
  return html`<h1>Your billing</h1>
    <p class="muted">${email ?? session.customer}</p>
    ${said}
    ${living.length === 0 ? html`<p class="card">There is no subscription.</p>` : living.map((one) => subscriptionCard(setup, one))}
    ${cardForm(setup, session.customer)} ${invoiceTable(mine.flatMap((one) => invoicesOf(setup, one.id)))} ${back}`;
}

type Confirm = Stripe.BillingPortal.Session.Flow.SubscriptionUpdateConfirm;

/** Whether what the page was opened for is still to be done. */
function isChange(setup: Setup, { subscription: id, items }: Confirm): boolean {
  const subscription = requireSubscription(setup, id);
  const has = onlyItem(subscription);
  const wanted = items[0];
  return !isOver(subscription) && (wanted?.price !== has.price.id || wanted.quantity !== has.quantity);
}

function confirmation(setup: Setup, { subscription, items }: Confirm): Html {
  const has = onlyItem(requireSubscription(setup, subscription));
  const wanted = items[0];
  const price = requirePrice(setup, wanted?.price ?? "");
  return html`<h1>Confirm the change</h1>
    <div class="card">
      <p>From ${described(setup, has.price, has.quantity ?? 1)}</p>
      <p><strong>To ${described(setup, price, wanted?.quantity ?? 1)}</strong></p>
      <p class="muted">The rest of the period that is paid is given back.</p>
      <form method="post">
        <input type="hidden" name="subscription" value="${subscription}" />
        <input type="hidden" name="price" value="${price.id}" />
        <input type="hidden" name="quantity" value="${wanted?.quantity ?? 1}" />
        <button name="do" value="change">Confirm</button>
      </form>
    </div>`;
}

const described = (setup: Setup, price: Stripe.Price, quantity: number): string =>
  `${quantity} × ${offered(setup, price)}`;

const offered = (setup: Setup, price: Stripe.Price): string =>
  `${nameOf(setup, price)}, ${money(price.unit_amount ?? 0, price.currency)} per ${intervalOf(price)}`;

function subscriptionCard(setup: Setup, subscription: Stripe.Subscription): Html {
  const { id, status, cancel_at_period_end: ends } = subscription;
  const { price, quantity = 1, current_period_end: end } = onlyItem(subscription);
  const button = (step: string, label: string, kind = "plain") =>
    html`<form method="post">
      <input type="hidden" name="subscription" value="${id}" />
      <button class="${kind}" name="do" value="${step}">${label}</button>
    </form>`;
  const isOpen = invoicesOf(setup, id).some((invoice) => invoice.status === "open");
  return html`<section class="card">
    <h2>${described(setup, price, quantity)}</h2>
    <p>${ends ? `Ends on ${day(end)}` : `Renews on ${day(end)}`} · ${status}</p>
    ${isOpen ? button("pay", "Pay the open invoice", "") : html``}
    ${ends ? button("resume", "Resume") : button("cancel", "Cancel at period end")}
    ${setup.settings.portalChanges ? changeForm(setup, id, price, quantity) : html``}
  </section>`;
}

function changeForm(setup: Setup, subscription: string, has: Stripe.Price, quantity: number): Html {
  const options = [...setup.prices.values()]
    .filter((price) => price.active || price.id === has.id)
    .map(
      (price) =>
        html`<option value="${price.id}" ${price.id === has.id ? "selected" : ""}>${offered(setup, price)}</option>`,
    );
  return html`<form method="post">
    <input type="hidden" name="subscription" value="${subscription}" />
    <label
      >Plan
      <select name="price">
        ${options}
      </select></label
    >
    <label>Quantity <input type="number" name="quantity" value="${quantity}" min="1" max="999999" required /></label>
    <button class="plain" name="do" value="change">Change</button>
  </form>`;
}

function cardForm({ declined }: Setup, customer: string): Html {
  const isBad = declined.has(customer);
  return html`<section class="card">
    <h2>Card</h2>
    <p>${isBad ? "The card is declined." : "The card pays."}</p>
    <form method="post">
      <button class="plain" name="do" value="${isBad ? "good-card" : "bad-card"}">
        ${isBad ? "Use one that pays" : "Use one that is declined"}
      </button>
    </form>
  </section>`;
}

function invoiceTable(invoices: readonly Stripe.Invoice[]): Html {
  const rows = invoices.toReversed().map(
    ({ number, hosted_invoice_url: address, created, total, currency, status }) =>
      html`<tr>
        <td>${address ? html`<a href="${address}">${number ?? ""}</a>` : "(draft)"}</td>
        <td>${day(created)}</td>
        <td>${money(total, currency)}</td>
        <td>${status ?? ""}</td>
      </tr>`,
  );
  return html`<section class="card">
    <h2>Invoices</h2>
    ${
      rows.length === 0
        ? html`<p class="muted">There are none.</p>`
        : html`<table>
            ${rows}
          </table>`
    }
  </section>`;
}
