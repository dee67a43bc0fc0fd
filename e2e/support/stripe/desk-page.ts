// The fake's start page, for running it by hand: subscriptions, and actions for events that would occur by themselves
// or at Stripe.
import type Stripe from "stripe";

import { refundInvoice } from "./charges.ts";
import { daySeconds } from "./clock.ts";
import { customerOf, removeCustomer } from "./customers.ts";
import { invalid } from "./failure.ts";
import type { Form } from "./form.ts";
import { nameOf } from "./invoice-lines.ts";
import { day, html, type Html } from "./pages.ts";
import { invoicesOf } from "./invoices.ts";
import { endAllOf, passTime } from "./periods.ts";
import { onlyItem } from "./subscription-record.ts";
import type { World } from "./world.ts";

export function deskPage(world: World, _id: string, problem: string | null): Html {
  const customers = [...world.customers.values()].flatMap((one) => (one.deleted === true ? [] : [one]));
  return html`<h1>Stripe double</h1>
    <p class="muted">Here it is ${day(world.clock.now())}.</p>
    ${problem === null ? html`` : html`<p class="error" role="alert">${problem}</p>`}
    <form method="post">
      <button class="plain" name="days" value="1">A day passes</button>
      <button class="plain" name="days" value="31">A month passes</button>
      <button class="plain" name="days" value="366">A year passes</button>
    </form>
    ${customers.length === 0 ? html`<p class="card">There are no customers.</p>` : customers.map((one) => customerCard(world, one))}`;
}

function customerCard(world: World, { id, email, name }: Stripe.Customer): Html {
  const rows = [...world.subscriptions.values()].flatMap((one) => (customerOf(one) === id ? [row(world, one)] : []));
  return html`<section class="card">
    <h2>${name ?? id}</h2>
    <p class="muted">${email ?? ""} · ${id}</p>
    ${
      rows.length === 0
        ? html`<p>There is no subscription.</p>`
        : html`<table>
            ${rows}
          </table>`
    }
    <form method="post">
      <input type="hidden" name="customer" value="${id}" />
      <button class="plain" name="do" value="refund">Refund the last payment</button>
      <button class="plain" name="do" value="delete">Delete the customer</button>
    </form>
  </section>`;
}

function row(world: World, subscription: Stripe.Subscription): Html {
  const { price, quantity = 1, current_period_end: end } = onlyItem(subscription);
  return html`<tr>
    <td>${quantity} × ${nameOf(world, price)}</td>
    <td>${subscription.status}</td>
    <td>until ${day(end)}</td>
  </tr>`;
}

/** @throws StripeFailure */
export function pressedAtDesk(world: World, _id: string, form: Form): string {
  const days = Number(form.get("days"));
  const customer = form.get("customer");
  const step = form.get("do");
  if (days > 0 && days <= 366) passTime(world, world.clock.now() + days * daySeconds);
  else if (typeof customer !== "string") throw invalid("There is no such button", "do");
  else if (step === "refund") refundLast(world, customer);
  else if (step === "delete") {
    endAllOf(world, customer);
    removeCustomer(world, customer);
  } else throw invalid("There is no such button", "do");
  return "/";
}

function refundLast(world: World, customer: string): void {
  const mine = [...world.subscriptions.values()].filter((one) => customerOf(one) === customer);
  const paid = mine.flatMap((one) => invoicesOf(world, one.id)).findLast((one) => world.paidBy.has(one.id));
  if (paid === undefined) throw invalid("Nothing was ever paid", "customer");
  refundInvoice(world, paid.id);
}
