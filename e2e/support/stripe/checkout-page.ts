// The page of a checkout session: what is bought, how many, Pay and Back.
import { intervalOf, requirePrice } from "./catalogue.ts";
import { paySession, requireSession } from "./checkout.ts";
import { customerOf } from "./customers.ts";
import { declined } from "./failure.ts";
import type { Form } from "./form.ts";
import { amountOf, nameOf } from "./invoice-lines.ts";
import { html, money, type Html } from "./pages.ts";
import type { Setup } from "./setup.ts";

export function checkoutPage(setup: Setup, id: string, problem: string | null): Html {
  const { session, price: priceId, quantity, adjustable } = requireSession(setup, id);
  const price = requirePrice(setup, priceId);
  const each = `${money(price.unit_amount ?? 0, price.currency)} per ${intervalOf(price)}`;
  const back = session.cancel_url === null ? html`` : html`<p><a href="${session.cancel_url}">Back</a></p>`;
  if (session.status !== "open") {
    const said = session.status === "complete" ? "This was paid already." : "This page is no longer open.";
    return html`<h1>${said}</h1>
      ${back}`;
  }
  const number = html`<label
    >Quantity
    <input
      type="number"
      name="quantity"
      value="${quantity}"
      min="${adjustable?.minimum ?? quantity}"
      max="${adjustable?.maximum ?? quantity}"
      required
    />
  </label>`;
  return html`<h1>Subscribe to ${nameOf(setup, price)}</h1>
    <p class="muted">${adjustable === null ? each : `${each}, for each`}</p>
    ${problem === null ? html`` : html`<p class="error" role="alert">${problem}</p>`}
    <div class="card">
      <p class="amount">${money(amountOf(price, quantity), price.currency)}</p>
      <p class="muted">${quantity} × ${each}, renewed every ${intervalOf(price)} until it is cancelled</p>
      <form method="post">
        ${adjustable === null ? html`` : number}
        <label
          >Card
          <select name="card">
            <option value="good">One that pays</option>
            <option value="later">One that pays now and is declined later</option>
            <option value="declined">One that is declined</option>
          </select>
        </label>
        <button>Pay</button>
      </form>
    </div>
    ${back}`;
}

/** Pays, and returns where the buyer is redirected. */
export function pressedInCheckout(setup: Setup, id: string, form: Form): string {
  const { session } = requireSession(setup, id);
  const quantity = form.get("quantity");
  const card = form.get("card");
  if (card === "declined") throw declined();
  paySession(setup, id, typeof quantity === "string" ? Number(quantity) : undefined);
  if (card === "later") setup.declined.add(customerOf(session));
  return (session.success_url ?? setup.url).replaceAll("{CHECKOUT_SESSION_ID}", id);
}
