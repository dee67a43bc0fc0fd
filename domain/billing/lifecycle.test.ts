// Each way that what is bought begins, changes and ends, from Stripe's side and from ours: what a workspace has then, what
// is written down of it, and that nothing is taken away that a downgrade leaves.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { systemCause } from "../records/system-cause.ts";
import { runJob } from "../jobs/run.ts";
import { billingAt } from "./billing.ts";
import { syncAccount } from "./sync.ts";
import { openShop, sessionOf, type Shop } from "./test/shop.ts";

const monthAndMore = 32;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  expect(shop.stripe.unkeyed()).toEqual([]);
  await shop.close();
});

test("upgrade: from free to Pro to Team, heard of by events alone, each once in the audit", async () => {
  const buyer = await shop.buyer();
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", status: "none", available: true, currentPeriodEnd: null });
  const subscription = await shop.buys(buyer, "pro");
  const end = new Date((subscription.items.data[0]?.current_period_end ?? 0) * 1000).toISOString();
  expect(await shop.me(buyer)).toMatchObject({
    plan: "pro",
    status: "active",
    interval: "month",
    currentPeriodEnd: end,
    cancelAtPeriodEnd: false,
    graceUntil: null,
    retentionShortensAt: null,
    seats: { used: 1, limit: 1 },
    entitlements: { privateArtifacts: true, teamWorkspaces: false },
  });
  shop.stripe.people.change(subscription.id, { price: shop.stripe.config.prices.team.year, quantity: 12 });
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", interval: "year", seats: { used: 1, limit: 12 } });
  expect(await shop.planChanges(buyer.workspaceId)).toEqual([
    { before: { plan: "free", seats: 1 }, after: { plan: "pro", seats: 1 } },
    { before: { plan: "pro", seats: 1 }, after: { plan: "team", seats: 12 } },
  ]);
});

test("coming back from checkout is enough: no event need have come", async () => {
  const buyer = await shop.buyer();
  await shop.pays(buyer, "pro", { interval: "year" });
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", status: "none" });
  const { workspaceId } = buyer;
  const { value } = await shop.world.answerOf(shop.instance, "billing.refresh", { workspaceId }, { as: buyer.as });
  expect(value).toMatchObject({ plan: "pro", status: "active", interval: "year" });
  // The events come after all, and say nothing new.
  await shop.hears();
  expect(await shop.planChanges(workspaceId)).toHaveLength(1);
});

test("downgrade: Team to Pro keeps what is private, the teams and who is in them, and the days for a week", async () => {
  const buyer = await shop.buyer();
  const subscription = await shop.buys(buyer, "team", { quantity: 11 });
  const { as, token, workspaceId } = buyer;
  const { world, instance } = shop;
  const project = await world.project(token);
  const hidden = await world.publish(token, project.slug, { access: { publicView: false, publicEdit: false } });
  const { value } = await world.answerOf(instance, "workspace.create", { slug: world.name("team"), name: "T" }, { as });
  const team = value as { workspaceId: string };
  const member = await shop.buyer();
  await world.db.run("INSERT INTO membership (workspace_id, user_id, role) VALUES ($1, $2, 'member')", [
    uuidOf("wsp", team.workspaceId),
    uuidOf("usr", member.userId),
  ]);
  expect(await shop.me({ as, workspaceId: team.workspaceId })).toMatchObject({
    plan: "team",
    status: "active",
    seats: { used: 2, limit: 11 },
    holder: { workspaceId },
  });
  const before = shop.stripe.now();
  shop.stripe.people.change(subscription.id, { price: shop.stripe.config.prices.pro.month, quantity: 1 });
  await shop.hears();
  const noticed = await shop.me(buyer);
  expect(noticed).toMatchObject({ plan: "pro", seats: { used: 2, limit: 1 } });
  const shortens = Date.parse(noticed.retentionShortensAt ?? "");
  expect(shortens).toBeGreaterThanOrEqual(before.getTime() + 7 * 86_400_000);
  expect(shortens).toBeLessThanOrEqual(shop.stripe.now().getTime() + 7 * 86_400_000);
  expect(await shop.workspace(team.workspaceId)).toMatchObject({ plan: "pro", planHolderId: workspaceId });
  const read = await world.call("artifact.get", { artifactId: hidden.artifactId }, { as: token });
  expect(read.access.publicView).toBe(false);
  const { members } = await world.call("member.list", { workspaceId: team.workspaceId }, { as });
  expect(members.map(({ userId }) => userId).toSorted()).toEqual([buyer.userId, member.userId].toSorted());
  const invited = { workspaceId: team.workspaceId, email: "late@example.org", role: "member" };
  expect((await world.refusal("invitation.create", invited, { as })).code).toBe("seat_limit_reached");
  const another = { slug: world.name("team"), name: "T" };
  expect((await world.refusal("workspace.create", another, { as })).code).toBe("plan_required");
  // Back again, and nothing is noticed any more.
  shop.stripe.people.change(subscription.id, { price: shop.stripe.config.prices.team.month, quantity: 11 });
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", retentionShortensAt: null, seats: { limit: 11 } });
  expect(await shop.workspace(team.workspaceId)).toMatchObject({ plan: "team", planKept: null });
});

test("cancel: it goes on until its period ends, can be taken back, and then ends", async () => {
  const buyer = await shop.buyer();
  const { id } = await shop.buys(buyer, "pro");
  shop.stripe.people.cancelAtPeriodEnd(id);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "pro", status: "active", cancelAtPeriodEnd: true });
  shop.stripe.people.resume(id);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "pro", status: "active", cancelAtPeriodEnd: false });
  shop.stripe.people.cancelAtPeriodEnd(id);
  shop.stripe.advance(monthAndMore);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", status: "canceled", cancelAtPeriodEnd: false });
  expect((await shop.planChanges(buyer.workspaceId)).at(-1)?.after).toEqual({ plan: "free", seats: 1 });
  // What is over is bought anew.
  await shop.buys(buyer, "pro");
  expect(await shop.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
});

test("past due: seven days of grace from the invoice, then nothing, then everything once it is paid", async () => {
  // Whoever bought at the other double is unknown to this one.
  await shop.forget();
  const late = await openShop({ afterRetries: "past_due" }, shop.world);
  try {
    const buyer = await late.buyer();
    const { id } = await late.buys(buyer, "team", { quantity: 15 });
    const { people } = late.stripe;
    const customer = await late.customer(buyer.workspaceId);
    people.declineCard(customer);
    const end = people.subscription(id).items.data[0]?.current_period_end ?? 0;
    const daysTo = (seconds: number) => (seconds - Math.floor(late.stripe.now().getTime() / 1000)) / 86_400;
    late.stripe.advance(daysTo(end + 2 * 3600));
    await late.hears();
    expect(people.subscription(id).status).toBe("past_due");
    const grace = (await late.me(buyer)).graceUntil;
    expect(Date.parse(grace ?? "")).toBe((end + 3600 + 7 * 86_400) * 1000);
    expect(await late.me(buyer)).toMatchObject({ plan: "team", status: "past_due", seats: { limit: 15 } });
    // An hour before its end the grace still holds, and after it nobody tells: reconciling finds out.
    late.stripe.advance(daysTo(end + 7 * 86_400));
    await late.hears();
    await late.reconciles();
    expect(await late.me(buyer)).toMatchObject({ plan: "team", status: "past_due", graceUntil: grace });
    late.stripe.advance(daysTo(end + 7 * 86_400 + 3601));
    await late.reconciles();
    expect(await late.me(buyer)).toMatchObject({ plan: "free", status: "past_due", graceUntil: grace });
    // Whoever wants to buy is sent to pay.
    expect(await late.checkout(buyer, "pro")).toContain("/p/session/");
    people.acceptCard(customer);
    people.payOpenInvoices(id);
    await late.hears();
    expect(await late.me(buyer)).toMatchObject({
      plan: "team",
      status: "active",
      graceUntil: null,
      seats: { limit: 15 },
    });
    expect(late.stripe.unkeyed()).toEqual([]);
  } finally {
    await late.forget();
    await late.close();
  }
});

test("past due for periods on end: the grace does not begin anew with each invoice", async () => {
  await shop.forget();
  const late = await openShop({ afterRetries: "past_due" }, shop.world);
  try {
    const buyer = await late.buyer();
    const { id } = await late.buys(buyer, "pro");
    const { people } = late.stripe;
    people.declineCard(await late.customer(buyer.workspaceId));
    const ends: (string | null)[] = [];
    for (let month = 0; month < 3; month++) {
      const end = people.subscription(id).items.data[0]?.current_period_end ?? 0;
      late.stripe.advance((end + 7200 - late.stripe.now().getTime() / 1000) / 86_400);
      await late.hears();
      expect(people.subscription(id).status).toBe("past_due");
      const { plan, graceUntil } = await late.me(buyer);
      expect([month, plan]).toEqual([month, month === 0 ? "pro" : "free"]);
      ends.push(graceUntil);
    }
    expect(new Set(ends).size).toBe(1);
    expect(ends[0]).not.toBeNull();
  } finally {
    await late.forget();
    await late.close();
  }
});

test("unpaid: nothing is given, nothing is bought beside it, and paying brings all back", async () => {
  const late = await openShop({ afterRetries: "unpaid" }, shop.world);
  try {
    const buyer = await late.buyer();
    const { id } = await late.buys(buyer, "pro");
    const customer = await late.customer(buyer.workspaceId);
    late.stripe.people.declineCard(customer);
    // The retries take fifteen days after the period.
    late.stripe.advance(50);
    await late.hears();
    expect(await late.me(buyer)).toMatchObject({ plan: "free", status: "unpaid", graceUntil: null });
    expect(await late.checkout(buyer, "team")).toContain("/p/session/");
    expect(late.stripe.people.openSessionsOf(customer)).toEqual([]);
    late.stripe.people.acceptCard(customer);
    late.stripe.people.payOpenInvoices(id);
    await late.hears();
    expect(await late.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
  } finally {
    await late.forget();
    await late.close();
  }
});

test("a payment that fails for good ends the subscription, and the plan with it", async () => {
  const buyer = await shop.buyer();
  await shop.buys(buyer, "pro");
  shop.stripe.people.declineCard(await shop.customer(buyer.workspaceId));
  shop.stripe.advance(50);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", status: "canceled", graceUntil: null });
});

test("refund and dispute: what Stripe says of the subscription stays, and so does the plan", async () => {
  const buyer = await shop.buyer();
  const { id } = await shop.buys(buyer, "pro");
  const before = await shop.me(buyer);
  const audited = await shop.planChanges(buyer.workspaceId);
  shop.stripe.people.refund(id);
  shop.stripe.people.dispute(id);
  await shop.hears();
  await shop.reconciles();
  expect(await shop.me(buyer)).toEqual(before);
  expect(await shop.planChanges(buyer.workspaceId)).toEqual(audited);
  // Whoever gave the money back ends it as well, and then it ends here.
  shop.stripe.people.cancelNow(id);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", status: "canceled" });
});

test("seats: more and fewer are written down, nobody is put out, and fewer than ten are ten", async () => {
  const buyer = await shop.buyer();
  const { id } = await shop.buys(buyer, "team");
  for (const [quantity, limit] of [
    [14, 14],
    [11, 11],
    [3, 10],
  ] as const) {
    shop.stripe.people.change(id, { quantity });
    await shop.hears();
    expect((await shop.me(buyer)).seats).toEqual({ used: 1, limit });
  }
  expect((await shop.planChanges(buyer.workspaceId)).map(({ after }) => after.seats)).toEqual([10, 14, 11, 10]);
});

test("paused: nothing is given until it goes on", async () => {
  const buyer = await shop.buyer();
  const { id } = await shop.buys(buyer, "pro");
  shop.stripe.people.pause(id);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", status: "paused" });
  shop.stripe.people.resume(id);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
});

test("a customer deleted at Stripe has nothing, and buys again at the first press", async () => {
  const buyer = await shop.buyer();
  const { workspaceId } = buyer;
  await shop.buys(buyer, "pro");
  const former = await shop.customer(workspaceId);
  shop.stripe.people.deleteCustomer(former);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "free", status: "none", interval: null, currentPeriodEnd: null });
  expect(await shop.account(workspaceId)).toMatchObject({ customerId: null, formerCustomerId: former });
  await shop.buys(buyer, "team");
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", status: "active" });
  // Not even heard of, and the name of the customer the same.
  const second = await shop.customer(workspaceId);
  shop.stripe.people.deleteCustomer(second);
  shop.stripe.events.take();
  await shop.buys(buyer, "pro");
  expect(await shop.customer(workspaceId)).not.toBe(second);
  expect(await shop.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
});

test("a workspace that is gone: its subscription and its page to pay on are ended, and its account goes", async () => {
  const [one, two] = [await shop.buyer(), await shop.buyer()];
  const { id } = await shop.buys(one, "pro");
  const url = await shop.checkout(two, "pro");
  const customers = [await shop.customer(one.workspaceId), await shop.customer(two.workspaceId)];
  for (const { workspaceId } of [one, two]) {
    await shop.world.db.run("DELETE FROM membership WHERE workspace_id = $1", [uuidOf("wsp", workspaceId)]);
    await shop.world.db.run("DELETE FROM workspace WHERE workspace_id = $1", [uuidOf("wsp", workspaceId)]);
  }
  await shop.reconciles();
  expect(shop.stripe.people.subscription(id).status).toBe("canceled");
  expect(customers.map((customer) => shop.stripe.people.openSessionsOf(customer).length)).toEqual([0, 0]);
  expect(() => shop.stripe.people.pay(sessionOf(url))).toThrow("expired");
  for (const { workspaceId } of [one, two]) expect(shop.account(workspaceId)).rejects.toThrow("never taken");
  // What is said of it afterwards is about nobody.
  await shop.hears();
});

test("a price that the operator replaced goes on to be the plan's, by its product", async () => {
  const own = await openShop({}, shop.world);
  try {
    const { stripe, instance, world } = own;
    const buyer = await own.buyer();
    const subscription = await own.buys(buyer, "pro");
    const product = subscription.items.data[0]?.price.product;
    if (typeof product !== "string") throw new Error("the product was expanded");
    const dearer = stripe.addPrice({ product, interval: "month", amount: 1500 });
    stripe.people.archivePrice(stripe.config.prices.pro.month);
    const prices = { ...stripe.config.prices, pro: { ...stripe.config.prices.pro, month: dearer.id } };
    const replaced = { ...instance, billing: billingAt({ ...stripe.config, prices }) };
    const { customerId } = await own.account(buyer.workspaceId);
    await syncAccount(replaced, buyer.workspaceId, systemCause("r"), stripe.now());
    expect(await own.me(buyer)).toMatchObject({ plan: "pro", status: "active", interval: "month" });
    expect(await own.customer(buyer.workspaceId)).toBe(customerId ?? "");
    const offered = await world.answerOf(replaced, "billing.plans", {});
    expect(JSON.stringify(offered.value)).toContain('"amount":1500');
  } finally {
    await own.forget();
    await own.close();
  }
});

test("a price of no plan takes nothing away: it is said, and what is known stays", async () => {
  const buyer = await shop.buyer();
  const { id } = await shop.buys(buyer, "pro");
  const other = shop.stripe.addPrice({ interval: "month", amount: 100 });
  shop.stripe.people.change(id, { price: other.id });
  await shop.takes();
  expect((await shop.works()).map(String)[0]).toContain(`${id} has a price that is of no plan`);
  expect(await shop.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
  shop.stripe.people.change(id, { price: shop.stripe.config.prices.pro.month });
  expect(await shop.works()).toEqual([]);
});

test("two subscriptions: the greater counts, and the other when that ends", async () => {
  const buyer = await shop.buyer();
  const { id } = await shop.buys(buyer, "pro");
  const customer = await shop.customer(buyer.workspaceId);
  const team = shop.stripe.people.sell({ customer, price: shop.stripe.config.prices.team.month, quantity: 10 });
  await shop.hears();
  expect(await shop.account(buyer.workspaceId)).toMatchObject({ subscriptionId: team.id, plan: "team" });
  shop.stripe.people.cancelNow(team.id);
  await shop.hears();
  expect(await shop.account(buyer.workspaceId)).toMatchObject({ subscriptionId: id, plan: "pro", status: "active" });
  expect(await shop.me(buyer)).toMatchObject({ plan: "pro" });
});

test("what the operator granted is the least there is, and what is paid for stays when the operator grants less", async () => {
  const buyer = await shop.buyer("team");
  const { id } = await shop.buys(buyer, "pro");
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", status: "active" });
  shop.stripe.people.cancelNow(id);
  await shop.hears();
  expect(await shop.me(buyer)).toMatchObject({ plan: "team", status: "canceled" });
  expect(await shop.planChanges(buyer.workspaceId)).toEqual([]);
});

test("a team that buys a plan is its own holder, and stays so when that ends", async () => {
  const buyer = await shop.buyer();
  await shop.buys(buyer, "team");
  const { value } = await shop.world.answerOf(
    shop.instance,
    "workspace.create",
    { slug: shop.world.name("team"), name: "T" },
    { as: buyer.as },
  );
  const team = { as: buyer.as, workspaceId: (value as { workspaceId: string }).workspaceId };
  expect(shop.checkout(team, "pro")).rejects.toMatchObject({ code: "invalid_request" });
  const { id } = await shop.buys(team, "team", { quantity: 20 });
  expect(await shop.me(team)).toMatchObject({
    plan: "team",
    holder: { workspaceId: team.workspaceId },
    seats: { limit: 20 },
  });
  expect(await shop.workspace(team.workspaceId)).toMatchObject({ planHolderId: null, planGranted: "free" });
  shop.stripe.people.cancelNow(id);
  await shop.hears();
  expect(await shop.me(team)).toMatchObject({ plan: "free", status: "canceled" });
  expect(await shop.me(buyer)).toMatchObject({ plan: "team" });
});

test("an event of a process that sells nothing waits to be tried again, and reconciling there does nothing", async () => {
  const host = { ...shop.instance, billing: null, painter: null };
  expect(runJob(host, "stripe-event", { eventId: "evt_1" }, "job")).rejects.toThrow("Stripe is not configured");
  await runJob(host, "billing-reconcile", {}, "job");
});
