// Plans that subscriptions give: every status, before and after its grace, with a known or unknown price, alone and
// beside others.
import { expect, test } from "bun:test";

import type { PaidPlanId } from "@plinth/contract/plans";
import type Stripe from "stripe";

import { isLiving, notSubscribed, subscribedOf, type PlanOfPrice } from "./subscription.ts";

const now = new Date("2026-11-22T12:00:00Z");
const second = (date: Date) => Math.floor(date.getTime() / 1000);
const day = 86_400;
const today = second(now);

interface Given {
  readonly id?: string;
  readonly status?: string;
  readonly price?: string;
  readonly quantity?: number;
  readonly interval?: string;
  readonly created?: number;
  readonly finalizedAt?: number | null;
  readonly dueAt?: number;
  readonly invoice?: "none" | "unexpanded";
  readonly cancelAtPeriodEnd?: boolean;
  readonly cancelAt?: number;
}

const periodEnd = today + 20 * day;

const itemOf = (price: string, quantity: number, interval: string) => ({
  id: `si_${price}`,
  quantity,
  current_period_end: periodEnd,
  price: { id: price, product: `prod_of_${price}`, recurring: { interval } },
});

/** The fields that are read, as Stripe has them. */
function subscription(given: Given = {}): Stripe.Subscription {
  const { id = "sub_1", status = "active", price = "price_pro", quantity = 1, interval = "month" } = given;
  const { created = today - 100 * day, finalizedAt = today - day, dueAt = null } = given;
  const invoice = { created: today - 2 * day, due_date: dueAt, status_transitions: { finalized_at: finalizedAt } };
  const latest = given.invoice === "none" ? null : given.invoice === "unexpanded" ? "in_1" : invoice;
  return {
    id,
    status,
    created,
    cancel_at_period_end: given.cancelAtPeriodEnd ?? false,
    cancel_at: given.cancelAt ?? null,
    latest_invoice: latest,
    items: { data: [itemOf(price, quantity, interval)] },
  } as unknown as Stripe.Subscription;
}

const plans: Readonly<Record<string, PaidPlanId>> = { price_pro: "pro", price_team: "team" };
const planOf: PlanOfPrice = ({ id }) => plans[id] ?? null;
const read = (...given: readonly Given[]) =>
  subscribedOf(
    given.map((one) => subscription(one)),
    planOf,
    now,
  );

test("without a purchase there is no plan", () => {
  expect(read()).toEqual(notSubscribed);
});

/** As Stripe says it, as we say it, whether it gives a plan, and whether it is there to be changed or paid. */
const statuses: readonly (readonly [string, string, boolean, boolean])[] = [
  ["trialing", "trialing", true, true],
  ["active", "active", true, true],
  ["past_due", "past_due", true, true],
  ["unpaid", "unpaid", false, true],
  ["paused", "paused", false, true],
  ["incomplete", "incomplete", false, false],
  ["incomplete_expired", "canceled", false, false],
  ["canceled", "canceled", false, false],
  ["of_a_year_to_come", "incomplete", false, false],
  ["none", "none", false, false],
];

for (const [status, said, gives, lives] of statuses)
  for (const [price, plan] of [
    ["price_pro", "pro"],
    ["price_team", "team"],
  ] as const)
    test(`${status} with ${plan}: ${gives ? "has it" : "has nothing"}, and is ${lives ? "changed" : "bought again"}`, () => {
      const found = read({ status, price, quantity: 12 });
      expect(found).toEqual({
        subscriptionId: "sub_1",
        status: said as typeof found.status,
        plan,
        interval: "month",
        currentPeriodEnd: new Date(periodEnd * 1000),
        cancelAtPeriodEnd: false,
        graceUntil: status === "past_due" ? new Date((today + 6 * day) * 1000) : null,
        gives: gives ? { plan, seats: plan === "team" ? 12 : null } : null,
      });
      expect(isLiving(found)).toBe(lives);
    });

test("a price of no plan gives nothing where the subscription gives nothing, and is said where it would", () => {
  for (const [status, , gives] of statuses) {
    const other = { id: "sub_other", status, price: "price_other" };
    if (gives) expect(() => read(other), status).toThrow("sub_other has a price that is of no plan of this instance");
    else expect(read(other), status).toMatchObject({ plan: null, gives: null });
  }
});

test("a price of no plan takes nothing away where another subscription gives a plan", () => {
  expect(read({ id: "sub_other", price: "price_other", created: today }, {})).toMatchObject({
    subscriptionId: "sub_1",
    gives: { plan: "pro" },
  });
});

test("a price of no plan is no matter after its grace", () => {
  expect(read({ status: "past_due", price: "price_other", finalizedAt: today - 8 * day })).toMatchObject({
    status: "past_due",
    gives: null,
  });
});

test("the grace is of seven days to the second, from when the invoice was to be paid", () => {
  const edges: readonly (readonly [Given, Date, boolean])[] = [
    [{ finalizedAt: today - 7 * day + 1 }, new Date((today + 1) * 1000), true],
    [{ finalizedAt: today - 7 * day }, now, false],
    [{ finalizedAt: today - 7 * day - 1 }, new Date((today - 1) * 1000), false],
    // Drafted only.
    [{ finalizedAt: null }, new Date((today + 5 * day) * 1000), true],
    // Sent, with time to pay.
    [{ finalizedAt: today - 30 * day, dueAt: today - day }, new Date((today + 6 * day) * 1000), true],
    // Never earlier than it was sent.
    [{ finalizedAt: today - day, dueAt: today - 30 * day }, new Date((today + 6 * day) * 1000), true],
    // Without an invoice to go by, from the beginning.
    [{ invoice: "none", created: today - 3 * day }, new Date((today + 4 * day) * 1000), true],
    [{ invoice: "unexpanded", created: today - 8 * day }, new Date((today - day) * 1000), false],
  ];
  for (const [given, graceUntil, gives] of edges) {
    const found = read({ status: "past_due", ...given });
    expect(found.graceUntil, JSON.stringify(given)).toEqual(graceUntil);
    expect(found.gives !== null, JSON.stringify(given)).toBe(gives);
  }
});

test("while it stays past due the grace goes on from the first invoice that is open, and from no later one", () => {
  const late = subscription({ status: "past_due", finalizedAt: today - day });
  const of = (unpaid: ReadonlyMap<string, number>) => subscribedOf([late], planOf, now, unpaid);
  for (const [unpaid, days, gives] of [
    [new Map([["sub_1", today - 5 * day]]), 2, true],
    [new Map([["sub_1", today - 31 * day]]), -24, false],
    [new Map([["sub_other", today - 31 * day]]), 6, true],
    // Nothing is open that is older than the last one.
    [new Map([["sub_1", today]]), 6, true],
  ] as const) {
    const { graceUntil, gives: given } = of(unpaid);
    expect([graceUntil, given !== null]).toEqual([new Date((today + days * day) * 1000), gives]);
  }
});

test("only what is past due has a grace", () => {
  for (const [status] of statuses)
    if (status !== "past_due") expect(read({ status, finalizedAt: today }).graceUntil, status).toBeNull();
});

test("the interval is the price's, and none where it is paid otherwise", () => {
  for (const interval of ["month", "year"] as const) expect(read({ interval }).interval).toBe(interval);
  for (const interval of ["week", "day"]) expect(read({ interval }).interval).toBeNull();
});

test("it ends with its period where Stripe says so in either way, and not where it is over", () => {
  expect(read({ cancelAtPeriodEnd: true }).cancelAtPeriodEnd).toBe(true);
  expect(read({ cancelAt: periodEnd }).cancelAtPeriodEnd).toBe(true);
  expect(read({}).cancelAtPeriodEnd).toBe(false);
  expect(read({ status: "canceled", cancelAtPeriodEnd: true, cancelAt: today - day }).cancelAtPeriodEnd).toBe(false);
});

test("a plan for people has no seats at any quantity", () => {
  expect(read({ price: "price_pro", quantity: 40 }).gives).toEqual({ plan: "pro", seats: null });
});

/** Each: what there is, oldest first, and which of it counts. */
const several: readonly (readonly [string, readonly Given[], string])[] = [
  ["the greater plan", [{ id: "a", price: "price_team" }, { id: "b" }], "a"],
  ["the greater plan, whichever was made first", [{ id: "a" }, { id: "b", price: "price_team" }], "b"],
  [
    "more seats",
    [
      { id: "a", price: "price_team", quantity: 25 },
      { id: "b", price: "price_team", quantity: 10 },
    ],
    "a",
  ],
  [
    "a team of ten seats before a plan for people bought a thousand times",
    [
      { id: "a", price: "price_team", quantity: 10 },
      { id: "b", quantity: 1000 },
    ],
    "a",
  ],
  ["the one made last of two alike", [{ id: "a" }, { id: "b" }], "b"],
  ["what gives before what is over", [{ id: "a" }, { id: "b", price: "price_team", status: "canceled" }], "a"],
  ["what gives before what is unpaid", [{ id: "a" }, { id: "b", price: "price_team", status: "unpaid" }], "a"],
  [
    "what is in its grace before what is past it",
    [
      { id: "a", status: "past_due" },
      { id: "b", price: "price_team", status: "past_due", finalizedAt: today - 9 * day },
    ],
    "a",
  ],
  [
    "what can still be paid before what is over",
    [
      { id: "a", status: "unpaid" },
      { id: "b", status: "canceled" },
    ],
    "a",
  ],
  [
    "the one made last of those that are over",
    [
      { id: "a", status: "canceled" },
      { id: "b", status: "incomplete" },
    ],
    "b",
  ],
];

for (const [name, given, counts] of several)
  test(`of several it is ${name}`, () => {
    const made = given.map((one, index) => ({ ...one, created: today - 90 * day + index }));
    for (const order of [made, made.toReversed()]) expect(read(...order).subscriptionId).toBe(counts);
  });

test("of two created in one second the same one counts, in any order", () => {
  const two = [{ id: "sub_a" }, { id: "sub_b" }];
  expect(read(...two).subscriptionId).toBe("sub_b");
  expect(read(...two.toReversed()).subscriptionId).toBe("sub_b");
});

test("what the operator sells beside a plan is left out", () => {
  const both = subscription({ price: "price_support", quantity: 3 });
  both.items.data.push(itemOf("price_team", 14, "month") as unknown as Stripe.SubscriptionItem);
  expect(subscribedOf([both], planOf, now)).toMatchObject({ plan: "team", gives: { plan: "team", seats: 14 } });
});

test("a subscription without anything in it gives nothing and is said where it is alive", () => {
  const empty = (status: string) => {
    const one = subscription({ status });
    one.items.data.length = 0;
    return one;
  };
  expect(subscribedOf([empty("canceled")], planOf, now)).toMatchObject({ plan: null, interval: null, gives: null });
  expect(() => subscribedOf([empty("active")], planOf, now)).toThrow("is of no plan");
});
