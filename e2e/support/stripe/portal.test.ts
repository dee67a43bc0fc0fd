import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type Stripe from "stripe";

import { startStripe, type StripeFake } from "./stripe-fake.ts";
import { buyer, press, someone } from "./test/purchases.ts";

let double: StripeFake;
let stripe: Stripe;
beforeAll(async () => {
  double = await startStripe();
  stripe = double.client();
});
afterAll(() => double.close());

const place = "http://127.0.0.1:1/settings/billing?from=portal";
const portalOf = async (customer: string) =>
  (await stripe.billingPortal.sessions.create({ customer, return_url: place })).url;
const textOf = async (page: string) => (await (await fetch(page)).text()).replaceAll(/\s+/g, " ");

const changeOf = (customer: string, subscription: string, price: string, quantity: number, item?: string) => {
  const id = item ?? double.people.subscription(subscription).items.data[0]?.id ?? "";
  return stripe.billingPortal.sessions.create({
    customer,
    return_url: place,
    flow_data: {
      type: "subscription_update_confirm",
      subscription_update_confirm: { subscription, items: [{ id, price, quantity }] },
    },
  });
};

describe("The portal's page", () => {
  test("shows what there is, and returns", async () => {
    const { customer } = await buyer(double);
    const page = await textOf(await portalOf(customer));
    expect(page).toContain("Stripe fake: no money moves");
    expect(page).toContain("1 × Plinth Pro, $12.00 per month");
    expect(page).toContain(`<a href="${place}">Return</a>`);
    expect(page).toContain("-0001 · ");
    expect(page).not.toContain("<script");
  });

  test("cancels at the end of the period, and takes that back", async () => {
    const { customer, subscription } = await buyer(double);
    const page = await portalOf(customer);
    expect((await press(page, { do: "cancel", subscription })).status).toBe(303);
    expect(double.people.subscription(subscription)).toMatchObject({ status: "active", cancel_at_period_end: true });
    expect(await textOf(page)).toContain("Ends on");
    await press(page, { do: "resume", subscription });
    expect(double.people.subscription(subscription)).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
    expect(await textOf(page)).toContain("Renews on");
  });

  test("changes plan and quantity", async () => {
    const { customer, subscription } = await buyer(double);
    const price = double.config.prices.team.year;
    await press(await portalOf(customer), { do: "change", subscription, price, quantity: "15" });
    expect(double.people.subscription(subscription).items.data).toMatchObject([{ quantity: 15, price: { id: price } }]);
    const none = await press(await portalOf(customer), { do: "change", subscription, price, quantity: "0" });
    expect(none.status).toBe(400);
  });

  test("pays what is open, with a card that pays", async () => {
    const { customer, subscription } = await buyer(double);
    const page = await portalOf(customer);
    expect(await textOf(page)).not.toContain("Pay the open invoice");
    await press(page, { do: "bad-card" });
    double.advance(32);
    expect(await textOf(page)).toContain("Pay the open invoice");
    const refused = await press(page, { do: "pay", subscription });
    expect([refused.status, (await refused.text()).includes("Your card was declined.")]).toEqual([402, true]);
    await press(page, { do: "good-card" });
    await press(page, { do: "pay", subscription });
    expect(double.people.subscription(subscription).status).toBe("active");
  });

  test("does nothing to what is another customer's, or over, or by a button it does not have", async () => {
    const { subscription } = await buyer(double);
    const { customer, subscription: own } = await buyer(double);
    const page = await portalOf(customer);
    expect((await press(page, { do: "cancel", subscription })).status).toBe(400);
    expect((await press(page, { do: "everything", subscription: own })).status).toBe(400);
    double.people.cancelNow(own);
    expect((await press(page, { do: "resume", subscription: own })).status).toBe(400);
    expect(double.people.subscription(subscription).cancel_at_period_end).toBe(false);
  });

  test("shows what is hostile in an email as text", async () => {
    const { id } = await stripe.customers.create({ email: '<img src=x onerror="alert(1)">' });
    const page = await textOf(await portalOf(id));
    expect(page).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
    expect(page).not.toContain("<img");
  });

  test("is nothing where there is no such session, or the customer is deleted", async () => {
    expect((await fetch(`${double.url}/p/session/bps_none`)).status).toBe(404);
    const { id: customer } = await someone(double);
    const page = await portalOf(customer);
    double.people.deleteCustomer(customer);
    expect((await fetch(page)).status).toBe(400);
  });
});

describe("A session for a change", () => {
  const prices = () => double.config.prices;

  test("asks to confirm it alone, does it, and is the portal then", async () => {
    const { customer, subscription } = await buyer(double);
    const { url } = await changeOf(customer, subscription, prices().team.month, 10);
    const page = await textOf(url);
    expect(page).toContain("From 1 × Plinth Pro, $12.00 per month");
    expect(page).toContain("To 10 × Plinth Team, $10.00 per month");
    expect(page).not.toContain("Cancel at period end");
    await press(url, { do: "change", subscription, price: prices().team.month, quantity: "10" });
    expect(double.people.subscription(subscription).items.data).toMatchObject([{ quantity: 10 }]);
    expect(await textOf(url)).toContain("Cancel at period end");
  });

  test("is refused for what is over, another's, the same, or an item that is none", async () => {
    const { customer, subscription } = await buyer(double);
    const other = await buyer(double);
    const { pro, team } = prices();
    await expect(changeOf(customer, other.subscription, team.month, 10)).rejects.toThrow("No such subscription");
    await expect(changeOf(customer, subscription, pro.month, 1)).rejects.toThrow("no change");
    await expect(changeOf(customer, subscription, team.month, 10, "si_none")).rejects.toThrow("subscription item");
    await expect(changeOf(customer, subscription, "price_none", 1)).rejects.toThrow("No such price");
    double.people.cancelNow(subscription);
    await expect(changeOf(customer, subscription, team.month, 10)).rejects.toThrow("is over");
  });

  test("is refused where the owner of the account does not let people change", async () => {
    const strict = await startStripe({ portalChanges: false });
    try {
      const { customer, subscription } = await buyer(strict);
      const id = strict.people.subscription(subscription).items.data[0]?.id ?? "";
      const price = strict.config.prices.team.month;
      const asked = strict.client().billingPortal.sessions.create({
        customer,
        flow_data: {
          type: "subscription_update_confirm",
          subscription_update_confirm: { subscription, items: [{ id, price, quantity: 10 }] },
        },
      });
      await expect(asked).rejects.toThrow("portal configuration");
      const { url } = await strict.client().billingPortal.sessions.create({ customer });
      expect((await press(url, { do: "change", subscription, price, quantity: "10" })).status).toBe(400);
    } finally {
      await strict.close();
    }
  });
});
