import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type Stripe from "stripe";

import { periodEnd } from "./state.ts";
import { startStripe, type StripeFake, type StripeOptions } from "./stripe-fake.ts";
import { buyer, someone, typesSince } from "./test/purchases.ts";

let double: StripeFake;
const start = async (options: StripeOptions = {}) => {
  await double.close();
  double = await startStripe({ startsAt: new Date("2026-01-31T12:00:00Z"), ...options });
};
beforeEach(async () => {
  double = await startStripe({ startsAt: new Date("2026-01-31T12:00:00Z") });
});
afterEach(() => double.close());

const itemOf = (id: string): Stripe.SubscriptionItem => {
  const item = double.people.subscription(id).items.data[0];
  if (item === undefined) throw new Error("a subscription has an item");
  return item;
};
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
const statusOf = (id: string) => double.people.subscription(id).status;
const latestOf = async (id: string) => {
  const { latest_invoice } = await double.client().subscriptions.retrieve(id, { expand: ["latest_invoice"] });
  if (latest_invoice === null || typeof latest_invoice === "string") throw new Error("it was asked for");
  return latest_invoice;
};

describe("A period", () => {
  test("ends on the day of the month on which the first began, or on the last where there is none", () => {
    const at = (text: string) => Date.parse(text) / 1000;
    const anchor = at("2028-01-31T10:00:00Z");
    const next = (start: string, interval: "month" | "year") => dayOf(periodEnd(anchor, at(start), interval));
    expect(next("2028-01-31T10:00:00Z", "month")).toBe("2028-02-29");
    expect(next("2028-02-29T10:00:00Z", "month")).toBe("2028-03-31");
    expect(next("2028-03-31T10:00:00Z", "month")).toBe("2028-04-30");
    expect(next("2028-01-31T10:00:00Z", "year")).toBe("2029-01-31");
    expect(dayOf(periodEnd(at("2028-02-29T00:00:00Z"), at("2028-02-29T00:00:00Z"), "year"))).toBe("2029-02-28");
  });

  test("is followed by the next, whose invoice is a draft for an hour", async () => {
    const { subscription } = await buyer(double);
    expect(dayOf(itemOf(subscription).current_period_end)).toBe("2026-02-28");
    const before = double.events.all().length;
    double.advance(28 + 0.01);
    expect(dayOf(itemOf(subscription).current_period_end)).toBe("2026-03-31");
    expect(await latestOf(subscription)).toMatchObject({
      status: "draft",
      number: null,
      status_transitions: { finalized_at: null },
    });
    expect(typesSince(double, before)).toEqual(["invoice.created", "customer.subscription.updated"]);
    double.advance(0.1);
    expect(await latestOf(subscription)).toMatchObject({
      status: "paid",
      billing_reason: "subscription_cycle",
      total: 1200,
    });
    expect(statusOf(subscription)).toBe("active");
  });

  test("that passes together with many others creates an invoice for each", async () => {
    const { customer, subscription } = await buyer(double);
    double.advance(366);
    const invoices = await double.client().invoices.list({ customer, limit: 100 });
    expect(invoices.data.length).toBe(13);
    expect(new Set(invoices.data.map(({ number }) => number)).size).toBe(13);
    expect(dayOf(itemOf(subscription).current_period_end)).toBe("2027-02-28");
  });

  test("is the last where it is said so, unless that is taken back", async () => {
    const { subscription: ends } = await buyer(double);
    const { subscription: stays } = await buyer(double);
    double.people.cancelAtPeriodEnd(ends);
    double.people.cancelAtPeriodEnd(stays);
    expect(double.people.subscription(ends)).toMatchObject({ status: "active", cancel_at_period_end: true });
    double.people.resume(stays);
    const before = double.events.all().length;
    double.advance(28.01);
    expect(double.people.subscription(ends)).toMatchObject({
      status: "canceled",
      cancellation_details: { reason: "cancellation_requested" },
    });
    expect(typesSince(double, before).filter((type) => type === "customer.subscription.deleted").length).toBe(1);
    expect(double.people.subscription(stays)).toMatchObject({ status: "active", cancel_at: null });
  });
});

describe("A payment that fails", () => {
  const failing = async () => {
    const bought = await buyer(double);
    double.people.declineCard(bought.customer);
    double.advance(28.1);
    return bought;
  };

  test("makes the subscription past due, and is tried again as configured", async () => {
    const { subscription } = await failing();
    expect(statusOf(subscription)).toBe("past_due");
    expect(await latestOf(subscription)).toMatchObject({ status: "open", attempt_count: 1, amount_remaining: 1200 });
    double.advance(3);
    expect(await latestOf(subscription)).toMatchObject({ status: "open", attempt_count: 2 });
    expect(statusOf(subscription)).toBe("past_due");
  });

  test("is made good by a later try, when the card pays again", async () => {
    const { customer, subscription } = await failing();
    double.people.acceptCard(customer);
    expect(statusOf(subscription)).toBe("past_due");
    double.advance(3);
    expect(statusOf(subscription)).toBe("active");
    expect(await latestOf(subscription)).toMatchObject({ status: "paid", attempt_count: 2 });
  });

  test("is made good by hand", async () => {
    const { customer, subscription } = await failing();
    expect(() => double.people.payOpenInvoices(subscription)).toThrow("declined");
    double.people.acceptCard(customer);
    double.people.payOpenInvoices(subscription);
    expect(statusOf(subscription)).toBe("active");
  });

  test.each([
    ["canceled", "canceled"],
    ["unpaid", "unpaid"],
    ["past_due", "past_due"],
  ] as const)("leaves it %s after the last try where that is configured", async (afterRetries, status) => {
    await start({ afterRetries });
    const { subscription } = await failing();
    double.advance(14.9);
    expect(statusOf(subscription)).toBe("past_due");
    double.advance(0.2);
    expect(statusOf(subscription)).toBe(status);
    expect(await latestOf(subscription)).toMatchObject({
      status: "open",
      attempt_count: 4,
      next_payment_attempt: null,
    });
  });

  test("of an unpaid subscription is not asked for again, and it is active once its latest invoice is paid", async () => {
    await start({ afterRetries: "unpaid" });
    const { customer, subscription } = await failing();
    double.advance(15.1);
    expect(statusOf(subscription)).toBe("unpaid");
    double.people.acceptCard(customer);
    double.people.payOpenInvoices(subscription);
    expect(statusOf(subscription)).toBe("active");
  });

  test("at the very beginning leaves it incomplete, and over after 23 hours", async () => {
    const { id: customer } = await someone(double);
    double.people.declineCard(customer);
    const { id } = double.people.sell({ customer, price: double.config.prices.pro.month, quantity: 1 });
    expect(statusOf(id)).toBe("incomplete");
    double.advance(1);
    expect(statusOf(id)).toBe("incomplete_expired");
    expect(await latestOf(id)).toMatchObject({ status: "void" });
  });
});

describe("A change", () => {
  test("to more credits and charges the rest of the period, in a separate invoice", async () => {
    const { subscription } = await buyer(double);
    double.advance(14);
    const changed = double.people.change(subscription, { price: double.config.prices.team.month, quantity: 10 });
    expect(changed.items.data[0]).toMatchObject({ quantity: 10, price: { id: double.config.prices.team.month } });
    const invoice = await latestOf(subscription);
    expect(invoice).toMatchObject({ billing_reason: "subscription_update", status: "paid", total: 5000 - 600 });
    expect(dayOf(itemOf(subscription).current_period_end)).toBe("2026-02-28");
  });

  test("to less leaves a credit that the next invoice takes", async () => {
    const { subscription } = await buyer(double, { price: double.config.prices.team.month, quantity: 10 });
    double.advance(14);
    double.people.change(subscription, { price: double.config.prices.pro.month, quantity: 1 });
    expect(await latestOf(subscription)).toMatchObject({ total: -4400, amount_due: 0, ending_balance: -4400 });
    double.advance(15);
    expect(await latestOf(subscription)).toMatchObject({
      total: 1200,
      amount_due: 0,
      ending_balance: -3200,
      status: "paid",
    });
  });

  test("of the interval starts a new period", async () => {
    const { subscription } = await buyer(double);
    double.advance(14);
    double.people.change(subscription, { price: double.config.prices.pro.year });
    expect(dayOf(itemOf(subscription).current_period_end)).toBe("2027-02-14");
  });

  test("that the card does not pay changes nothing", async () => {
    const { customer, subscription } = await buyer(double);
    double.people.declineCard(customer);
    const before = double.events.all().length;
    const team = { price: double.config.prices.team.month, quantity: 10 };
    expect(() => double.people.change(subscription, team)).toThrow("declined");
    expect(itemOf(subscription).price.id).toBe(double.config.prices.pro.month);
    expect(typesSince(double, before)).toEqual([]);
  });
});

describe("What leaves a subscription as it is", () => {
  test("a refund, which is told", async () => {
    const { subscription } = await buyer(double);
    const before = double.events.all().length;
    double.people.refund(subscription);
    expect(double.events.all().at(-1)?.data.object).toMatchObject({ amount: 1200, refunded: true });
    expect(typesSince(double, before)).toEqual(["refund.created", "charge.refunded"]);
    expect(statusOf(subscription)).toBe("active");
  });

  test("a dispute, which is told and names no customer", async () => {
    const { subscription } = await buyer(double);
    double.people.dispute(subscription);
    const event = double.events.all().at(-1);
    expect(event?.type).toBe("charge.dispute.created");
    expect(Object.keys(event?.data.object ?? {})).not.toContain("customer");
    expect(statusOf(subscription)).toBe("active");
  });
});

test("A paused subscription stays as it is until it is resumed", async () => {
  const { subscription } = await buyer(double);
  double.people.pause(subscription);
  double.advance(60);
  expect(statusOf(subscription)).toBe("paused");
  double.people.resume(subscription);
  expect(statusOf(subscription)).toBe("active");
});

test("A customer who is deleted leaves that they were there, and subscriptions that are over", async () => {
  const { customer, subscription } = await buyer(double);
  const before = double.events.all().length;
  double.people.deleteCustomer(customer);
  expect(await double.client().customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
  const left = await double.client().subscriptions.list({ customer, status: "all" });
  expect(left.data).toMatchObject([{ id: subscription, status: "canceled" }]);
  expect(typesSince(double, before)).toEqual(["customer.subscription.deleted", "customer.deleted"]);
  double.advance(60);
  expect(statusOf(subscription)).toBe("canceled");
});

test("An event keeps the record as it was", async () => {
  const { subscription } = await buyer(double);
  double.people.cancelNow(subscription);
  const statuses = double.events
    .all()
    .flatMap((event) => (event.type.startsWith("customer.subscription.") ? [event.data.object] : []));
  expect(statuses).toMatchObject([{ status: "incomplete" }, { status: "active" }, { status: "canceled" }]);
  const updated = double.events.all().find((event) => event.type === "customer.subscription.updated");
  expect(updated?.data.previous_attributes).toEqual({ status: "incomplete" });
});
