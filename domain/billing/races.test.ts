// Races of purchases: a plan changes while a resource is created under it, or is bought twice at once.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { examine } from "../doctor/examine.ts";
import { openHarness, sessionOf, type Buyer, type BillingHarness } from "./test/shop.ts";

const rounds = Number(process.env["BILLING_ROUNDS"] ?? 6);
/** One more than what a checkout asks of Stripe. */
const moments = 8;

let harness: BillingHarness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(async () => {
  expect(harness.stripe.unkeyed()).toEqual([]);
  await harness.close();
});

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
const livingOf = async (workspaceId: string) =>
  harness.stripe.people
    .subscriptionsOf(await harness.customer(workspaceId))
    .filter(({ status }) => status === "active" || status === "past_due");
const makeTeam = (as: Buyer["as"]) =>
  harness.setup.answerOf(harness.instance, "workspace.create", { slug: harness.setup.name("team"), name: "T" }, { as });
const teamOf = (answer: { value: unknown }) => (answer.value as { workspaceId: string }).workspaceId;

async function inRounds(round: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; n < rounds; n++) await round(n);
}

test("the last seat is taken once, while there are fewer seats to take", async () => {
  await inRounds(async () => {
    const buyer = await harness.buyer();
    const { id } = await harness.buy(buyer, "team", { quantity: 12 });
    const workspaceId = teamOf(await makeTeam(buyer.as));
    harness.stripe.people.change(id, { quantity: 11 });
    await harness.receive();
    const invite = (n: number) =>
      harness.setup.answerOf(
        harness.instance,
        "invitation.create",
        { workspaceId, email: `${n}@${workspaceId.slice(4)}.example`, role: "viewer" },
        { as: buyer.as },
      );
    const [failures, ...outcomes] = await Promise.all([
      harness.runJobs(),
      ...Array.from({ length: 15 }, (_, n) => outcome(invite(n))),
    ]);
    expect(failures).toEqual([]);
    // The owner has one: ten are left of eleven, eleven of twelve.
    const invited = outcomes.filter((one) => one === "done").length;
    expect([10, 11]).toContain(invited);
    expect(outcomes.filter((one) => one !== "done")).toEqual(
      Array.from({ length: 15 - invited }, () => "seat_limit_reached"),
    );
    expect((await harness.me(buyer)).seats).toEqual({ used: invited + 1, limit: 11 });
    expect(await outcome(invite(99))).toBe("seat_limit_reached");
  });
}, 120_000);

for (const [name, plans] of [
  ["for the same plan", ["pro", "pro", "pro", "pro"]],
  ["for different plans", ["pro", "team", "pro", "team"]],
] as const)
  test(`checkout several times at once ${name}: one page is open, and nothing is bought twice`, async () => {
    await inRounds(async () => {
      const buyer = await harness.buyer();
      const urls = await Promise.all(plans.map((plan) => harness.checkout(buyer, plan)));
      const open = harness.stripe.people.openSessionsOf(await harness.customer(buyer.workspaceId));
      expect(open).toHaveLength(1);
      if (new Set(plans).size === 1) expect(new Set(urls).size).toBe(1);
      // Payer on every page that was opened.
      const paid = urls.map((url) => {
        try {
          return harness.stripe.people.pay(sessionOf(url)).id;
        } catch (error) {
          expect(String(error)).toContain('Only Checkout Sessions with a status in ["open"]');
          return null;
        }
      });
      expect(paid.filter((id) => id !== null)).toHaveLength(1);
      expect(await livingOf(buyer.workspaceId)).toHaveLength(1);
      expect(await harness.checkout(buyer, "team", "year")).toContain("/p/session/");
      harness.stripe.events.take();
    });
  }, 120_000);

test("a page is paid while another is requested: one subscription, in either order", async () => {
  await inRounds(async (n) => {
    const buyer = await harness.buyer();
    const url = await harness.checkout(buyer, "pro");
    // At another moment of the checkout each time: before, between, and after what it asks of Stripe.
    const asked = harness.stripe.asked.length;
    let isOver = false;
    const later = outcome(harness.checkout(buyer, "team")).finally(() => void (isOver = true));
    while (!isOver && harness.stripe.asked.length < asked + (n % moments)) await Bun.sleep(0);
    let paid: string | null = null;
    try {
      paid = harness.stripe.people.pay(sessionOf(url)).id;
    } catch (error) {
      expect(String(error)).toContain("status of expired");
    }
    expect(["done", "billing_unavailable"]).toContain(await later);
    const open = harness.stripe.people.openSessionsOf(await harness.customer(buyer.workspaceId));
    expect(open).toHaveLength(paid === null ? 1 : 0);
    expect(await livingOf(buyer.workspaceId)).toHaveLength(paid === null ? 0 : 1);
    harness.stripe.events.take();
  });
}, 120_000);

test("checkout while the plan goes down: a change of what is there, or a new beginning, and never two", async () => {
  await inRounds(async (n) => {
    const buyer = await harness.buyer();
    const { id } = await harness.buy(buyer, "team");
    if (n % 2 === 0) harness.stripe.people.cancelNow(id);
    else harness.stripe.people.change(id, { price: harness.stripe.config.prices.pro.month, quantity: 1 });
    await harness.receive();
    const [url, failures] = await Promise.all([harness.checkout(buyer, "team", "year"), harness.runJobs()]);
    expect(failures).toEqual([]);
    expect(url).toContain(n % 2 === 0 ? "/c/pay/" : "/p/session/");
    if (n % 2 === 0) harness.stripe.people.pay(sessionOf(url));
    await harness.deliverEvents();
    expect(await livingOf(buyer.workspaceId)).toHaveLength(1);
    expect(await harness.me(buyer)).toMatchObject({ plan: n % 2 === 0 ? "team" : "pro", status: "active" });
  });
}, 120_000);

test("a team made while the plan goes down: there is none, or it went down as well", async () => {
  const seen = new Set<string>();
  await inRounds(async () => {
    const buyer = await harness.buyer();
    const { id } = await harness.buy(buyer, "team");
    harness.stripe.people.cancelNow(id);
    await harness.receive();
    const [failures, ...outcomes] = await Promise.all([
      harness.runJobs(),
      ...Array.from({ length: 4 }, () => outcome(makeTeam(buyer.as))),
    ]);
    expect(failures).toEqual([]);
    for (const one of outcomes) seen.add(one);
    const plans = await harness.setup.db.run(
      "SELECT DISTINCT plan FROM workspace WHERE plan_holder_id = $1 OR workspace_id = $1",
      [uuidOf("wsp", buyer.workspaceId)],
    );
    expect([...plans]).toEqual([{ plan: "free" }]);
    expect(await outcome(makeTeam(buyer.as))).toBe("plan_required");
  });
  expect([...seen].filter((one) => one !== "done" && one !== "plan_required")).toEqual([]);
}, 120_000);

test("webhook, reconciliation and refresh at the same moment: one change, written down once", async () => {
  await inRounds(async () => {
    const buyer = await harness.buyer();
    const { workspaceId, as } = buyer;
    await harness.pay(buyer, "team", { quantity: 13 });
    const events = harness.stripe.events.take();
    const refresh = () => harness.setup.answerOf(harness.instance, "billing.refresh", { workspaceId }, { as });
    await Promise.all([
      harness.deliverEvents(events),
      harness.reconcile(),
      refresh(),
      harness.reconcile(),
      harness.receive(events),
    ]);
    expect(await harness.runJobs()).toEqual([]);
    expect(await harness.me(buyer)).toMatchObject({ plan: "team", status: "active", seats: { limit: 13 } });
    expect(await harness.planChanges(workspaceId)).toEqual([
      { before: { plan: "free", seats: 1 }, after: { plan: "team", seats: 13 } },
    ]);
  });
}, 120_000);

test("a team buys its own plan while people are invited and the operator grants: no deadlock", async () => {
  await inRounds(async () => {
    const buyer = await harness.buyer();
    await harness.buy(buyer, "team");
    const workspaceId = teamOf(await makeTeam(buyer.as));
    const team = { as: buyer.as, workspaceId };
    await harness.pay(team, "team", { quantity: 30 });
    await harness.receive();
    const invited = Array.from({ length: 12 }, (_, n) =>
      outcome(
        harness.setup.answerOf(
          harness.instance,
          "invitation.create",
          { workspaceId, email: `${n}@${workspaceId.slice(4)}.example`, role: "viewer" },
          { as: buyer.as },
        ),
      ),
    );
    const [failures] = await Promise.all([harness.runJobs(), harness.reconcile(), ...invited]);
    expect(failures).toEqual([]);
    for (const one of await Promise.all(invited)) expect(["done", "seat_limit_reached"]).toContain(one);
    expect(await harness.workspace(workspaceId)).toMatchObject({ planHolderId: null, plan: "team", seatsBought: 30 });
  });
}, 120_000);

test("after all this the database is as it should be", async () => {
  const findings = await examine(harness.setup.db);
  expect(findings.filter(({ problems }) => problems > 0)).toEqual([]);
});
