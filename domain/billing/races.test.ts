// What holds when what is bought changes while something is made of it, or is bought twice at once.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { examine } from "../doctor/examine.ts";
import { openShop, sessionOf, type Buyer, type Shop } from "./test/shop.ts";

const rounds = Number(process.env["BILLING_ROUNDS"] ?? 6);
/** One more than what a checkout asks of Stripe. */
const moments = 8;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  expect(shop.stripe.unkeyed()).toEqual([]);
  await shop.close();
});

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
const livingOf = async (workspaceId: string) =>
  shop.stripe.people
    .subscriptionsOf(await shop.customer(workspaceId))
    .filter(({ status }) => status === "active" || status === "past_due");
const makeTeam = (as: Buyer["as"]) =>
  shop.world.answerOf(shop.instance, "workspace.create", { slug: shop.world.name("team"), name: "T" }, { as });
const teamOf = (answer: { value: unknown }) => (answer.value as { workspaceId: string }).workspaceId;

async function inRounds(round: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; n < rounds; n++) await round(n);
}

test("the last seat is taken once, while there are fewer seats to take", async () => {
  await inRounds(async () => {
    const buyer = await shop.buyer();
    const { id } = await shop.buys(buyer, "team", { quantity: 12 });
    const workspaceId = teamOf(await makeTeam(buyer.as));
    shop.stripe.people.change(id, { quantity: 11 });
    await shop.takes();
    const invite = (n: number) =>
      shop.world.answerOf(
        shop.instance,
        "invitation.create",
        { workspaceId, email: `${n}@${workspaceId.slice(4)}.example`, role: "viewer" },
        { as: buyer.as },
      );
    const [failures, ...outcomes] = await Promise.all([
      shop.works(),
      ...Array.from({ length: 15 }, (_, n) => outcome(invite(n))),
    ]);
    expect(failures).toEqual([]);
    // The owner has one: ten are left of eleven, eleven of twelve.
    const invited = outcomes.filter((one) => one === "done").length;
    expect([10, 11]).toContain(invited);
    expect(outcomes.filter((one) => one !== "done")).toEqual(
      Array.from({ length: 15 - invited }, () => "seat_limit_reached"),
    );
    expect((await shop.me(buyer)).seats).toEqual({ used: invited + 1, limit: 11 });
    expect(await outcome(invite(99))).toBe("seat_limit_reached");
  });
}, 120_000);

for (const [name, plans] of [
  ["for the same plan", ["pro", "pro", "pro", "pro"]],
  ["for different plans", ["pro", "team", "pro", "team"]],
] as const)
  test(`checkout several times at once ${name}: one page is open, and nothing is bought twice`, async () => {
    await inRounds(async () => {
      const buyer = await shop.buyer();
      const urls = await Promise.all(plans.map((plan) => shop.checkout(buyer, plan)));
      const open = shop.stripe.people.openSessionsOf(await shop.customer(buyer.workspaceId));
      expect(open).toHaveLength(1);
      if (new Set(plans).size === 1) expect(new Set(urls).size).toBe(1);
      // Whoever stands before any of the pages presses Pay.
      const paid = urls.map((url) => {
        try {
          return shop.stripe.people.pay(sessionOf(url)).id;
        } catch (error) {
          expect(String(error)).toContain('Only Checkout Sessions with a status in ["open"]');
          return null;
        }
      });
      expect(paid.filter((id) => id !== null)).toHaveLength(1);
      expect(await livingOf(buyer.workspaceId)).toHaveLength(1);
      expect(await shop.checkout(buyer, "team", "year")).toContain("/p/session/");
      shop.stripe.events.take();
    });
  }, 120_000);

test("a page is paid while another is asked for: one subscription, whoever was first", async () => {
  await inRounds(async (n) => {
    const buyer = await shop.buyer();
    const url = await shop.checkout(buyer, "pro");
    // At another moment of the checkout each time: before, between, and after what it asks of Stripe.
    const asked = shop.stripe.asked.length;
    let isOver = false;
    const later = outcome(shop.checkout(buyer, "team")).finally(() => void (isOver = true));
    while (!isOver && shop.stripe.asked.length < asked + (n % moments)) await Bun.sleep(0);
    let paid: string | null = null;
    try {
      paid = shop.stripe.people.pay(sessionOf(url)).id;
    } catch (error) {
      expect(String(error)).toContain("status of expired");
    }
    expect(["done", "billing_unavailable"]).toContain(await later);
    const open = shop.stripe.people.openSessionsOf(await shop.customer(buyer.workspaceId));
    expect(open).toHaveLength(paid === null ? 1 : 0);
    expect(await livingOf(buyer.workspaceId)).toHaveLength(paid === null ? 0 : 1);
    shop.stripe.events.take();
  });
}, 120_000);

test("checkout while the plan goes down: a change of what is there, or a new beginning, and never two", async () => {
  await inRounds(async (n) => {
    const buyer = await shop.buyer();
    const { id } = await shop.buys(buyer, "team");
    if (n % 2 === 0) shop.stripe.people.cancelNow(id);
    else shop.stripe.people.change(id, { price: shop.stripe.config.prices.pro.month, quantity: 1 });
    await shop.takes();
    const [url, failures] = await Promise.all([shop.checkout(buyer, "team", "year"), shop.works()]);
    expect(failures).toEqual([]);
    expect(url).toContain(n % 2 === 0 ? "/c/pay/" : "/p/session/");
    if (n % 2 === 0) shop.stripe.people.pay(sessionOf(url));
    await shop.hears();
    expect(await livingOf(buyer.workspaceId)).toHaveLength(1);
    expect(await shop.me(buyer)).toMatchObject({ plan: n % 2 === 0 ? "team" : "pro", status: "active" });
  });
}, 120_000);

test("a team made while the plan goes down: there is none, or it went down as well", async () => {
  const seen = new Set<string>();
  await inRounds(async () => {
    const buyer = await shop.buyer();
    const { id } = await shop.buys(buyer, "team");
    shop.stripe.people.cancelNow(id);
    await shop.takes();
    const [failures, ...outcomes] = await Promise.all([
      shop.works(),
      ...Array.from({ length: 4 }, () => outcome(makeTeam(buyer.as))),
    ]);
    expect(failures).toEqual([]);
    for (const one of outcomes) seen.add(one);
    const plans = await shop.world.db.run(
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
    const buyer = await shop.buyer();
    const { workspaceId, as } = buyer;
    await shop.pays(buyer, "team", { quantity: 13 });
    const events = shop.stripe.events.take();
    const refresh = () => shop.world.answerOf(shop.instance, "billing.refresh", { workspaceId }, { as });
    await Promise.all([shop.hears(events), shop.reconciles(), refresh(), shop.reconciles(), shop.takes(events)]);
    expect(await shop.works()).toEqual([]);
    expect(await shop.me(buyer)).toMatchObject({ plan: "team", status: "active", seats: { limit: 13 } });
    expect(await shop.planChanges(workspaceId)).toEqual([
      { before: { plan: "free", seats: 1 }, after: { plan: "team", seats: 13 } },
    ]);
  });
}, 120_000);

test("a team takes a plan of its own while people are invited and the operator grants: nobody waits for ever", async () => {
  await inRounds(async () => {
    const buyer = await shop.buyer();
    await shop.buys(buyer, "team");
    const workspaceId = teamOf(await makeTeam(buyer.as));
    const team = { as: buyer.as, workspaceId };
    await shop.pays(team, "team", { quantity: 30 });
    await shop.takes();
    const invited = Array.from({ length: 12 }, (_, n) =>
      outcome(
        shop.world.answerOf(
          shop.instance,
          "invitation.create",
          { workspaceId, email: `${n}@${workspaceId.slice(4)}.example`, role: "viewer" },
          { as: buyer.as },
        ),
      ),
    );
    const [failures] = await Promise.all([shop.works(), shop.reconciles(), ...invited]);
    expect(failures).toEqual([]);
    for (const one of await Promise.all(invited)) expect(["done", "seat_limit_reached"]).toContain(one);
    expect(await shop.workspace(workspaceId)).toMatchObject({ planHolderId: null, plan: "team", seatsBought: 30 });
  });
}, 120_000);

test("after all this the database is as it should be", async () => {
  const findings = await examine(shop.world.db);
  expect(findings.filter(({ problems }) => problems > 0)).toEqual([]);
});
