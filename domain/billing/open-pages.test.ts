// A checkout page at Stripe that is open beside a subscription is closed by the next checkout, so that no customer pays twice.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { openHarness, sessionOf, type BillingHarness } from "./test/shop.ts";

let harness: BillingHarness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

test("checkout with a subscription closes every open page: an old tab cannot pay a second time", async () => {
  const buyer = await harness.buyer();
  await harness.buy(buyer, "pro");
  const customer = await harness.customer(buyer.workspaceId);
  const price = harness.stripe.config.prices.pro.month;
  const tab = await harness.billing.stripe.checkout.sessions.create(
    {
      mode: "subscription",
      customer,
      client_reference_id: buyer.workspaceId,
      line_items: [{ price, quantity: 1 }],
      success_url: "http://plinth.test/",
      cancel_url: "http://plinth.test/",
    },
    { idempotencyKey: "an-old-tab" },
  );
  expect(harness.stripe.people.openSessionsOf(customer)).toHaveLength(1);
  expect(await harness.checkout(buyer, "team")).toContain("/p/session/");
  expect(harness.stripe.people.openSessionsOf(customer)).toEqual([]);
  expect(() => harness.stripe.people.pay(sessionOf(tab.url ?? ""))).toThrow("expired");
  expect(harness.stripe.people.subscriptionsOf(customer)).toHaveLength(1);
});
