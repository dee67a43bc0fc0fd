// Only one process at a time asks Stripe about a customer.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";
import { holdTransaction } from "@plinth/db/test/locks";

import { openHarness, type BillingHarness } from "./test/shop.ts";

let harness: BillingHarness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

test("a refresh asks Stripe nothing about an account that another transaction has", async () => {
  const buyer = await harness.buyer();
  await harness.buy(buyer, "pro");
  const { workspaceId, as } = buyer;
  await holdTransaction(harness.setup.db.url, async (held) => {
    await held.run("SELECT FROM billing_account WHERE workspace_id = $1 FOR UPDATE", [uuidOf("wsp", workspaceId)]);
    const asked = harness.stripe.asked.length;
    const refreshing = harness.setup.answerOf(harness.instance, "billing.refresh", { workspaceId }, { as });
    await held.untilWaitedFor(refreshing);
    expect(harness.stripe.asked.length).toBe(asked);
    await held.commit();
    await refreshing;
    expect(harness.stripe.asked.length).toBeGreaterThan(asked);
  });
});

test("a team that gets its own plan while the plan it has part in ends keeps its own", async () => {
  const buyer = await harness.buyer();
  const { id } = await harness.buy(buyer, "team");
  const made = await harness.setup.answerOf(
    harness.instance,
    "workspace.create",
    { slug: harness.setup.name("team"), name: "T" },
    { as: buyer.as },
  );
  const { workspaceId } = made.value as { workspaceId: string };
  harness.stripe.people.cancelNow(id);
  await harness.receive();
  await holdTransaction(harness.setup.db.url, async (held) => {
    await held.run("SELECT FROM workspace WHERE workspace_id = $1 FOR NO KEY UPDATE", [uuidOf("wsp", workspaceId)]);
    const working = harness.runJobs();
    await held.untilWaitedFor(working);
    await held.run(
      "UPDATE workspace SET plan_holder_id = NULL, plan_granted = 'team', plan = 'team' WHERE workspace_id = $1",
      [uuidOf("wsp", workspaceId)],
    );
    await held.commit();
    expect(await working).toEqual([]);
  });
  expect(await harness.workspace(workspaceId)).toMatchObject({ plan: "team", planHolderId: null });
});
