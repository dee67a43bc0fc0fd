// What is asked of Stripe about a customer is asked by one process at a time.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { openShop, type Shop } from "./test/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test("a refresh asks Stripe nothing about an account that another transaction has", async () => {
  const buyer = await shop.buyer();
  await shop.buys(buyer, "pro");
  const { workspaceId, as } = buyer;
  await holdTransaction(shop.world.db.url, async (held) => {
    await held.run("SELECT FROM billing_account WHERE workspace_id = $1 FOR UPDATE", [uuidOf("wsp", workspaceId)]);
    const asked = shop.stripe.asked.length;
    const refreshing = shop.world.answerOf(shop.instance, "billing.refresh", { workspaceId }, { as });
    await held.untilWaitedFor(refreshing);
    expect(shop.stripe.asked.length).toBe(asked);
    await held.commit();
    await refreshing;
    expect(shop.stripe.asked.length).toBeGreaterThan(asked);
  });
});

test("a team that gets its own plan while the plan it has part in ends keeps its own", async () => {
  const buyer = await shop.buyer();
  const { id } = await shop.buys(buyer, "team");
  const made = await shop.world.answerOf(
    shop.instance,
    "workspace.create",
    { slug: shop.world.name("team"), name: "T" },
    { as: buyer.as },
  );
  const { workspaceId } = made.value as { workspaceId: string };
  shop.stripe.people.cancelNow(id);
  await shop.takes();
  await holdTransaction(shop.world.db.url, async (held) => {
    await held.run("SELECT FROM workspace WHERE workspace_id = $1 FOR NO KEY UPDATE", [uuidOf("wsp", workspaceId)]);
    const working = shop.works();
    await held.untilWaitedFor(working);
    await held.run(
      "UPDATE workspace SET plan_holder_id = NULL, plan_granted = 'team', plan = 'team' WHERE workspace_id = $1",
      [uuidOf("wsp", workspaceId)],
    );
    await held.commit();
    expect(await working).toEqual([]);
  });
  expect(await shop.workspace(workspaceId)).toMatchObject({ plan: "team", planHolderId: null });
});
