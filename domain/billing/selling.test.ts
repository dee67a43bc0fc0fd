// What is on sale and how it is bought, where Stripe or its settings stand in the way: prices that could not be read, a
// portal in which nothing may be changed, answers that are lost, and very many seats.
import { afterAll, beforeAll, expect, setSystemTime, test } from "bun:test";

import type { Output } from "@plinth/contract/registry";

import { hurried, openShop, sessionOf, type Shop, unhurried } from "./test/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ patience: unhurried });
});
afterAll(() => shop.close());

const plansOf = async ({ world, instance }: Shop) =>
  (await world.answerOf(instance, "billing.plans", {})).value as Output<"billing.plans">;
const amounts = ({ plans }: Output<"billing.plans">) => plans.map(({ prices }) => prices.map(({ amount }) => amount));

test("until Stripe was reached the plans are listed without prices, and say so; then with them", async () => {
  const early = await openShop({ patience: unhurried }, shop.world);
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
  const buyer = await shop.buyer();
  const billingOf = async (input: { withPlans?: true }) =>
    (await shop.world.answerOf(shop.instance, "billing.get", input, { as: buyer.as })).value as Output<"billing.get">;
  expect((await billingOf({ withPlans: true })).offer).toEqual(await plansOf(shop));
  expect(await billingOf({})).not.toHaveProperty("offer");
});

test("while Stripe is away the prices read before go on being shown, and it is asked again now and then alone", async () => {
  const before = await plansOf(shop);
  const asked = () => shop.stripe.asked.filter(({ path }) => path.startsWith("/v1/prices/")).length;
  const first = asked();
  const start = Date.now();
  try {
    setSystemTime(new Date(start + 9 * 60_000));
    expect(await plansOf(shop)).toEqual(before);
    expect(asked()).toBe(first);
    shop.stripe.faults.share(1, 1, [500]);
    setSystemTime(new Date(start + 11 * 60_000));
    expect(await plansOf(shop)).toEqual(before);
    // All four prices are asked for at once, and the first that fails is not the last to come.
    while (asked() < first + 4) await Bun.sleep(1);
    shop.stripe.faults.none();
    // It was just found to be away.
    const failed = asked();
    setSystemTime(new Date(start + 11 * 60_000 + 20_000));
    expect(await plansOf(shop)).toEqual(before);
    expect(asked()).toBe(failed);
    setSystemTime(new Date(start + 11 * 60_000 + 40_000));
    expect(await plansOf(shop)).toEqual(before);
    expect(asked()).toBe(failed + 4);
  } finally {
    shop.stripe.faults.none();
    setSystemTime();
  }
});

test("where the portal lets nobody change a plan, a change leads to the portal as it is", async () => {
  await shop.forget();
  const strict = await openShop({ portalChanges: false }, shop.world);
  try {
    const buyer = await strict.buyer();
    const { id } = await strict.buys(buyer, "pro");
    const url = await strict.checkout(buyer, "team");
    expect(url).toContain("/p/session/");
    const page = await (await fetch(url)).text();
    expect(page).not.toContain(">Change<");
    expect(strict.stripe.people.subscription(id).status).toBe("active");
    expect(await strict.me(buyer)).toMatchObject({ plan: "pro", boughtPlan: "pro" });
    expect(strict.stripe.unkeyed()).toEqual([]);
  } finally {
    await strict.forget();
    await strict.close();
  }
});

test("an answer that is lost after the page was made leaves one page, which the next try finds", async () => {
  await shop.forget();
  const buyer = await shop.buyer();
  await shop.checkout(buyer, "pro");
  const customer = await shop.customer(buyer.workspaceId);
  const [open] = shop.stripe.people.openSessionsOf(customer);
  expect(open).toBeDefined();
  // Of another plan, so that the page is made anew; its answer is the last of this press.
  const before = shop.stripe.asked.length;
  await shop.checkout(buyer, "team");
  const steps = shop.stripe.asked.length - before;
  await shop.checkout(buyer, "pro");
  shop.stripe.faults.next(...Array.from({ length: steps - 1 }, () => null), "hang-after");
  shop.waits(hurried);
  const lost = await shop.checkout(buyer, "team").then(
    () => null,
    (error: { code: string }) => error.code,
  );
  shop.waits();
  expect(lost).toBe("billing_unavailable");
  const left = shop.stripe.people.openSessionsOf(customer);
  expect(left).toHaveLength(1);
  const url = await shop.checkout(buyer, "team");
  expect(shop.stripe.people.openSessionsOf(customer).map(({ id }) => id)).toEqual([sessionOf(url)]);
  expect(left.map(({ id }) => id)).toEqual([sessionOf(url)]);
  const { id } = shop.stripe.people.pay(sessionOf(url));
  await shop.hears();
  expect((await shop.account(buyer.workspaceId)).subscriptionId).toBe(id);
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", boughtPlan: "team" });
});

test("a team of more than 99 seats is bought, and as many as Stripe takes", async () => {
  for (const quantity of [100, 999_999]) {
    await shop.forget();
    const buyer = await shop.buyer();
    await shop.buys(buyer, "team", { quantity });
    expect(await shop.me(buyer)).toMatchObject({ plan: "team", seats: { used: 1, limit: quantity } });
  }
  await shop.forget();
  const buyer = await shop.buyer();
  await expect(shop.pays(buyer, "team", { quantity: 1_000_000 })).rejects.toThrow();
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", boughtPlan: null });
});

test("what was bought is said beside a greater plan that was granted, and not once it has ended", async () => {
  await shop.forget();
  const buyer = await shop.buyer("team");
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", boughtPlan: null, status: "none" });
  const { id } = await shop.buys(buyer, "pro");
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", boughtPlan: "pro", status: "active" });
  shop.stripe.people.cancelNow(id);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", boughtPlan: null, status: "canceled" });
});
