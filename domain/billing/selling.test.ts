// Prices and purchases when Stripe or its settings fail: unreadable prices, a portal without plan changes, lost
// responses, and very many seats.
import { afterAll, beforeAll, expect, setSystemTime, test } from "bun:test";

import type { Output } from "@plinth/contract/registry";

import { shortTimeout, openHarness, sessionOf, type BillingHarness, generousTimeout } from "./test/shop.ts";

let harness: BillingHarness;
beforeAll(async () => {
  harness = await openHarness({ retryPolicy: generousTimeout });
});
afterAll(() => harness.close());

const plansOf = async ({ setup, instance }: BillingHarness) =>
  (await setup.answerOf(instance, "billing.plans", {})).value as Output<"billing.plans">;
const amounts = ({ plans }: Output<"billing.plans">) => plans.map(({ prices }) => prices.map(({ amount }) => amount));

test("until Stripe was reached the plans are listed without prices, and say so; then with them", async () => {
  const early = await openHarness({ retryPolicy: generousTimeout }, harness.setup);
  try {
    early.stripe.faults.share(1, 1, [500]);
    const without = await plansOf(early);
    expect(without).toMatchObject({ pricesKnown: false, plans: [{ id: "free" }, { id: "pro" }, { id: "team" }] });
    expect(amounts(without)).toEqual([[], [], []]);
    expect(without.plans.map(({ entitlements }) => entitlements.seats)).toEqual([1, 1, 10]);
    early.stripe.faults.none();
    const known = await plansOf(early);
    expect([known.pricesKnown, amounts(known)]).toEqual([true, [[], [1200, 12_000], [1000, 10_000]]]);
  } finally {
    await early.close();
  }
});

test("a workspace's plan brings the plans on offer along where they are asked for", async () => {
  const buyer = await harness.buyer();
  const billingOf = async (input: { withPlans?: true }) =>
    (await harness.setup.answerOf(harness.instance, "billing.get", input, { as: buyer.as }))
      .value as Output<"billing.get">;
  expect((await billingOf({ withPlans: true })).offer).toEqual(await plansOf(harness));
  expect(await billingOf({})).not.toHaveProperty("offer");
});

test("while Stripe is away the prices read before go on being shown, and it is asked again now and then alone", async () => {
  const before = await plansOf(harness);
  const asked = () => harness.stripe.asked.filter(({ path }) => path.startsWith("/v1/prices/")).length;
  const first = asked();
  const start = Date.now();
  try {
    setSystemTime(new Date(start + 9 * 60_000));
    expect(await plansOf(harness)).toEqual(before);
    expect(asked()).toBe(first);
    harness.stripe.faults.share(1, 1, [500]);
    setSystemTime(new Date(start + 11 * 60_000));
    expect(await plansOf(harness)).toEqual(before);
    // All four prices are asked for at once, and the first that fails is not the last to come.
    while (asked() < first + 4) await Bun.sleep(1);
    harness.stripe.faults.none();
    // It was just found to be away.
    const failed = asked();
    setSystemTime(new Date(start + 11 * 60_000 + 20_000));
    expect(await plansOf(harness)).toEqual(before);
    expect(asked()).toBe(failed);
    setSystemTime(new Date(start + 11 * 60_000 + 40_000));
    expect(await plansOf(harness)).toEqual(before);
    expect(asked()).toBe(failed + 4);
  } finally {
    harness.stripe.faults.none();
    setSystemTime();
  }
});

test("a portal without plan changes: a change leads to the portal's start page", async () => {
  await harness.deletePurchases();
  const strict = await openHarness({ portalChanges: false }, harness.setup);
  try {
    const buyer = await strict.buyer();
    const { id } = await strict.buy(buyer, "pro");
    const url = await strict.checkout(buyer, "team");
    expect(url).toContain("/p/session/");
    const page = await (await fetch(url)).text();
    expect(page).not.toContain(">Change<");
    expect(strict.stripe.people.subscription(id).status).toBe("active");
    expect(await strict.me(buyer)).toMatchObject({ plan: "pro", boughtPlan: "pro" });
    expect(strict.stripe.unkeyed()).toEqual([]);
  } finally {
    await strict.deletePurchases();
    await strict.close();
  }
});

test("an answer that is lost after the page was made leaves one page, which the next try finds", async () => {
  await harness.deletePurchases();
  const buyer = await harness.buyer();
  await harness.checkout(buyer, "pro");
  const customer = await harness.customer(buyer.workspaceId);
  const [open] = harness.stripe.people.openSessionsOf(customer);
  expect(open).toBeDefined();
  // Another plan, so that a new page is created; its response is the last of this checkout.
  const before = harness.stripe.asked.length;
  await harness.checkout(buyer, "team");
  const steps = harness.stripe.asked.length - before;
  await harness.checkout(buyer, "pro");
  harness.stripe.faults.next(...Array.from({ length: steps - 1 }, () => null), "hang-after");
  harness.setRetryPolicy(shortTimeout);
  const lost = await harness.checkout(buyer, "team").then(
    () => null,
    (error: { code: string }) => error.code,
  );
  harness.setRetryPolicy();
  expect(lost).toBe("billing_unavailable");
  const left = harness.stripe.people.openSessionsOf(customer);
  expect(left).toHaveLength(1);
  const url = await harness.checkout(buyer, "team");
  expect(harness.stripe.people.openSessionsOf(customer).map(({ id }) => id)).toEqual([sessionOf(url)]);
  expect(left.map(({ id }) => id)).toEqual([sessionOf(url)]);
  const { id } = harness.stripe.people.pay(sessionOf(url));
  await harness.deliverEvents();
  expect((await harness.account(buyer.workspaceId)).subscriptionId).toBe(id);
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", boughtPlan: "team" });
});

test("a team of more than 99 seats is bought, and as many as Stripe takes", async () => {
  for (const quantity of [100, 999_999]) {
    await harness.deletePurchases();
    const buyer = await harness.buyer();
    await harness.buy(buyer, "team", { quantity });
    expect(await harness.me(buyer)).toMatchObject({ plan: "team", seats: { used: 1, limit: quantity } });
  }
  await harness.deletePurchases();
  const buyer = await harness.buyer();
  await expect(harness.pay(buyer, "team", { quantity: 1_000_000 })).rejects.toThrow();
  expect(await harness.me(buyer)).toMatchObject({ plan: "free", boughtPlan: null });
});

test("what was bought is said beside a greater plan that was granted, and not once it has ended", async () => {
  await harness.deletePurchases();
  const buyer = await harness.buyer("team");
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", boughtPlan: null, status: "none" });
  const { id } = await harness.buy(buyer, "pro");
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", boughtPlan: "pro", status: "active" });
  harness.stripe.people.cancelNow(id);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", boughtPlan: null, status: "canceled" });
});
