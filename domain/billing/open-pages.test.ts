// A checkout page at Stripe that is open beside a subscription is closed by the next checkout, so that no customer pays twice.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { openShop, sessionOf, type Shop } from "./test/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test("checkout with a subscription closes every open page: an old tab cannot pay a second time", async () => {
  const buyer = await shop.buyer();
  await shop.buys(buyer, "pro");
  const customer = await shop.customer(buyer.workspaceId);
  const price = shop.stripe.config.prices.pro.month;
  const tab = await shop.billing.stripe.checkout.sessions.create(
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
  expect(shop.stripe.people.openSessionsOf(customer)).toHaveLength(1);
  expect(await shop.checkout(buyer, "team")).toContain("/p/session/");
  expect(shop.stripe.people.openSessionsOf(customer)).toEqual([]);
  expect(() => shop.stripe.people.pay(sessionOf(tab.url ?? ""))).toThrow("expired");
  expect(shop.stripe.people.subscriptionsOf(customer)).toHaveLength(1);
});
