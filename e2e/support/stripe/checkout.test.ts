import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type Stripe from "stripe";

import { startStripe, type StripeFake } from "./stripe-fake.ts";
import { press, sessionAt, sessionFor, someone, typesSince } from "./test/purchases.ts";

let double: StripeFake;
let stripe: Stripe;
beforeAll(async () => {
  double = await startStripe();
  stripe = double.client();
});
afterAll(() => double.close());

const team = () => ({
  price: double.config.prices.team.month,
  quantity: 10,
  adjustable_quantity: { enabled: true, minimum: 10, maximum: 500 },
});

const newPage = async (item?: Stripe.Checkout.SessionCreateParams.LineItem) => {
  const { id: customer } = await someone(double);
  const { id, url } = await sessionFor(double, customer, item);
  if (url === null) throw new Error("an open session has a page");
  return { customer, id, url };
};

describe("The page of a session", () => {
  test("says that no money moves, what it costs, and where Back goes, and needs no script", async () => {
    const { url } = await newPage();
    const page = await (await fetch(url)).text();
    expect(page).toContain("Stripe fake: no money moves");
    expect(page).toContain("Subscribe to Plinth Pro");
    expect(page).toContain("$12.00");
    expect(page).toContain('<a href="http://127.0.0.1:1/settings/billing">Back</a>');
    expect(page).not.toContain("<script");
    expect(page).not.toContain('name="quantity"');
  });

  test("sells: the subscription is active and paid, and the buyer is redirected back", async () => {
    const { customer, id, url } = await newPage();
    const before = double.events.all().length;
    const answer = await press(url, { card: "good" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("http://127.0.0.1:1/settings/billing?from=checkout");
    const [subscription, ...others] = double.people.subscriptionsOf(customer);
    expect(others).toEqual([]);
    expect(subscription).toMatchObject({ status: "active", metadata: { workspaceId: "w1" }, cancel_at: null });
    const session = await sessionAt(double, id);
    expect(session).toMatchObject({
      status: "complete",
      payment_status: "paid",
      url: null,
      metadata: { workspaceId: "w1" },
    });
    expect(session.subscription).toBe(subscription?.id ?? "");
    expect(typesSince(double, before)).toEqual([
      "invoice.created",
      "customer.subscription.created",
      "invoice.finalized",
      "invoice.paid",
      "invoice.payment_succeeded",
      "customer.subscription.updated",
      "checkout.session.completed",
    ]);
  });

  test("sells once: pressed again it says that it was paid", async () => {
    const { customer, url } = await newPage();
    await press(url, { card: "good" });
    const again = await press(url, { card: "good" });
    expect(again.status).toBe(400);
    expect(await again.text()).toContain("This was paid already.");
    expect(double.people.subscriptionsOf(customer).length).toBe(1);
  });

  test("stays open where the card is declined", async () => {
    const { customer, id, url } = await newPage();
    const answer = await press(url, { card: "declined" });
    expect(answer.status).toBe(402);
    expect(await answer.text()).toContain("Your card was declined.");
    expect(double.people.subscriptionsOf(customer)).toEqual([]);
    expect((await sessionAt(double, id)).status).toBe("open");
    double.people.declineCard(customer);
    expect((await press(url, { card: "good" })).status).toBe(402);
  });

  test("sells as many as are chosen between its bounds, and no others", async () => {
    const { customer, url } = await newPage(team());
    expect(await (await fetch(url)).text()).toContain('name="quantity"');
    for (const quantity of ["9", "501", "10.5", "many", ""])
      expect([quantity, (await press(url, { card: "good", quantity })).status]).toEqual([quantity, 400]);
    expect((await press(url, { card: "good", quantity: "14" })).status).toBe(303);
    expect(double.people.subscriptionsOf(customer)[0]?.items.data[0]?.quantity).toBe(14);
  });
});

describe("A session", () => {
  test("expires when it is told to, once, and its page is closed", async () => {
    const { id, url } = await newPage();
    const before = double.events.all().length;
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: "expired", url: null });
    expect(typesSince(double, before)).toEqual(["checkout.session.expired"]);
    expect(await (await fetch(url)).text()).toContain("This page is no longer open.");
    expect((await press(url, { card: "good" })).status).toBe(400);
    await expect(stripe.checkout.sessions.expire(id)).rejects.toThrow('status in ["open"]');
  });

  test("expires by itself after a day", async () => {
    const { id } = await newPage();
    double.advance(0.9);
    expect((await sessionAt(double, id)).status).toBe("open");
    double.advance(0.2);
    expect((await sessionAt(double, id)).status).toBe("expired");
  });

  test("is not created for a deleted customer, an archived price, or a quantity out of bounds", async () => {
    const { id: customer } = await someone(double);
    const { id: price } = double.addPrice({ interval: "month", amount: 100 });
    double.people.archivePrice(price);
    await expect(sessionFor(double, customer, { price, quantity: 1 })).rejects.toThrow("inactive");
    await expect(sessionFor(double, customer, { ...team(), quantity: 9 })).rejects.toThrow("between 10 and 500");
    // Where no greatest number is said, Stripe takes 99.
    const { price: seats } = team();
    const unbounded = { price: seats, quantity: 100, adjustable_quantity: { enabled: true, minimum: 10 } };
    await expect(sessionFor(double, customer, unbounded)).rejects.toThrow("between 10 and 99");
    double.people.deleteCustomer(customer);
    await expect(sessionFor(double, customer)).rejects.toThrow("No such customer");
  });
});
