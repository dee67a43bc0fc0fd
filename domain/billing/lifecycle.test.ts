// Each way that a subscription begins, changes and ends, initiated by Stripe or by us: the workspace's plan, its audit
// events, and that a downgrade deletes only what it must.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { uuidOf } from "@plinth/db/columns";

import { systemCause } from "../audit/system-cause.ts";
import { runJob } from "../jobs/run.ts";
import { billingAt } from "./billing.ts";
import { syncAccount } from "./sync.ts";
import { openHarness, sessionOf, type BillingHarness } from "./test/shop.ts";

const monthAndMore = 32;

let harness: BillingHarness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(async () => {
  expect(harness.stripe.unkeyed()).toEqual([]);
  await harness.close();
});

test("upgrade from free to Pro to Team: learned by events alone, audited once each", async () => {
  const buyer = await harness.buyer();
  expect(await harness.me(buyer)).toMatchObject({
    plan: "free",
    status: "none",
    available: true,
    currentPeriodEnd: null,
  });
  const subscription = await harness.buy(buyer, "pro");
  const end = new Date((subscription.items.data[0]?.current_period_end ?? 0) * 1000).toISOString();
  expect(await harness.me(buyer)).toMatchObject({
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
  harness.stripe.people.change(subscription.id, { price: harness.stripe.config.prices.team.year, quantity: 12 });
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", interval: "year", seats: { used: 1, limit: 12 } });
  expect(await harness.planChanges(buyer.workspaceId)).toEqual([
    { before: { plan: "free", seats: 1 }, after: { plan: "pro", seats: 1 } },
    { before: { plan: "pro", seats: 1 }, after: { plan: "team", seats: 12 } },
  ]);
});

test("coming back from checkout is enough: no event need have come", async () => {
  const buyer = await harness.buyer();
  await harness.pay(buyer, "pro", { interval: "year" });
  expect(await harness.me(buyer)).toMatchObject({ plan: "free", status: "none" });
  const { workspaceId } = buyer;
  const { value } = await harness.setup.answerOf(
    harness.instance,
    "billing.refresh",
    { workspaceId },
    { as: buyer.as },
  );
  expect(value).toMatchObject({ plan: "pro", status: "active", interval: "year" });
  // The events come after all, and say nothing new.
  await harness.deliverEvents();
  expect(await harness.planChanges(workspaceId)).toHaveLength(1);
});

test("downgrade: Team to Pro keeps what is private, the teams and who is in them, and the days for a week", async () => {
  const buyer = await harness.buyer();
  const subscription = await harness.buy(buyer, "team", { quantity: 11 });
  const { as, token, workspaceId } = buyer;
  const { setup, instance } = harness;
  const project = await setup.project(token);
  const hidden = await setup.publish(token, project.slug, { access: { publicView: false, publicEdit: false } });
  const { value } = await setup.answerOf(instance, "workspace.create", { slug: setup.name("team"), name: "T" }, { as });
  const team = value as { workspaceId: string };
  const member = await harness.buyer();
  await setup.db.run("INSERT INTO membership (workspace_id, user_id, role) VALUES ($1, $2, 'member')", [
    uuidOf("wsp", team.workspaceId),
    uuidOf("usr", member.userId),
  ]);
  expect(await harness.me({ as, workspaceId: team.workspaceId })).toMatchObject({
    plan: "team",
    status: "active",
    seats: { used: 2, limit: 11 },
    holder: { workspaceId },
  });
  const before = harness.stripe.now();
  harness.stripe.people.change(subscription.id, { price: harness.stripe.config.prices.pro.month, quantity: 1 });
  await harness.deliverEvents();
  const noticed = await harness.me(buyer);
  expect(noticed).toMatchObject({ plan: "pro", seats: { used: 2, limit: 1 } });
  const shortens = Date.parse(noticed.retentionShortensAt ?? "");
  expect(shortens).toBeGreaterThanOrEqual(before.getTime() + 7 * 86_400_000);
  expect(shortens).toBeLessThanOrEqual(harness.stripe.now().getTime() + 7 * 86_400_000);
  expect(await harness.workspace(team.workspaceId)).toMatchObject({ plan: "pro", planHolderId: workspaceId });
  const read = await setup.call("artifact.get", { artifactId: hidden.artifactId }, { as: token });
  expect(read.access.publicView).toBe(false);
  const { members } = await setup.call("member.list", { workspaceId: team.workspaceId }, { as });
  expect(members.map(({ userId }) => userId).toSorted()).toEqual([buyer.userId, member.userId].toSorted());
  const invited = { workspaceId: team.workspaceId, email: "late@example.org", role: "member" };
  expect((await setup.refusal("invitation.create", invited, { as })).code).toBe("seat_limit_reached");
  const another = { slug: setup.name("team"), name: "T" };
  expect((await setup.refusal("workspace.create", another, { as })).code).toBe("plan_required");
  // Back again, and nothing is noticed any more.
  harness.stripe.people.change(subscription.id, { price: harness.stripe.config.prices.team.month, quantity: 11 });
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", retentionShortensAt: null, seats: { limit: 11 } });
  expect(await harness.workspace(team.workspaceId)).toMatchObject({ plan: "team", planKept: null });
});

test("cancel: it goes on until its period ends, can be taken back, and then ends", async () => {
  const buyer = await harness.buyer();
  const { id } = await harness.buy(buyer, "pro");
  harness.stripe.people.cancelAtPeriodEnd(id);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "pro", status: "active", cancelAtPeriodEnd: true });
  harness.stripe.people.resume(id);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "pro", status: "active", cancelAtPeriodEnd: false });
  harness.stripe.people.cancelAtPeriodEnd(id);
  harness.stripe.advance(monthAndMore);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "free", status: "canceled", cancelAtPeriodEnd: false });
  expect((await harness.planChanges(buyer.workspaceId)).at(-1)?.after).toEqual({ plan: "free", seats: 1 });
  // An ended subscription can be bought again.
  await harness.buy(buyer, "pro");
  expect(await harness.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
});

test("past due: seven days of grace from the invoice, then nothing, then everything once it is paid", async () => {
  // Purchases at the other fake do not exist at this one.
  await harness.deletePurchases();
  const late = await openHarness({ afterRetries: "past_due" }, harness.setup);
  try {
    const buyer = await late.buyer();
    const { id } = await late.buy(buyer, "team", { quantity: 15 });
    const { people } = late.stripe;
    const customer = await late.customer(buyer.workspaceId);
    people.declineCard(customer);
    const end = people.subscription(id).items.data[0]?.current_period_end ?? 0;
    const daysTo = (seconds: number) => (seconds - Math.floor(late.stripe.now().getTime() / 1000)) / 86_400;
    late.stripe.advance(daysTo(end + 2 * 3600));
    await late.deliverEvents();
    expect(people.subscription(id).status).toBe("past_due");
    const grace = (await late.me(buyer)).graceUntil;
    expect(Date.parse(grace ?? "")).toBe((end + 3600 + 7 * 86_400) * 1000);
    expect(await late.me(buyer)).toMatchObject({ plan: "team", status: "past_due", seats: { limit: 15 } });
    // The grace period still applies an hour before its end. No event reports its end, so reconciling finds it.
    late.stripe.advance(daysTo(end + 7 * 86_400));
    await late.deliverEvents();
    await late.reconcile();
    expect(await late.me(buyer)).toMatchObject({ plan: "team", status: "past_due", graceUntil: grace });
    late.stripe.advance(daysTo(end + 7 * 86_400 + 3601));
    await late.reconcile();
    expect(await late.me(buyer)).toMatchObject({ plan: "free", status: "past_due", graceUntil: grace });
    // A checkout leads to the payment page.
    expect(await late.checkout(buyer, "pro")).toContain("/p/session/");
    people.acceptCard(customer);
    people.payOpenInvoices(id);
    await late.deliverEvents();
    expect(await late.me(buyer)).toMatchObject({
      plan: "team",
      status: "active",
      graceUntil: null,
      seats: { limit: 15 },
    });
    expect(late.stripe.unkeyed()).toEqual([]);
  } finally {
    await late.deletePurchases();
    await late.close();
  }
});

test("past due for several periods: the grace period does not restart with each invoice", async () => {
  await harness.deletePurchases();
  const late = await openHarness({ afterRetries: "past_due" }, harness.setup);
  try {
    const buyer = await late.buyer();
    const { id } = await late.buy(buyer, "pro");
    const { people } = late.stripe;
    people.declineCard(await late.customer(buyer.workspaceId));
    const ends: (string | null)[] = [];
    for (let month = 0; month < 3; month++) {
      const end = people.subscription(id).items.data[0]?.current_period_end ?? 0;
      late.stripe.advance((end + 7200 - late.stripe.now().getTime() / 1000) / 86_400);
      await late.deliverEvents();
      expect(people.subscription(id).status).toBe("past_due");
      const { plan, graceUntil } = await late.me(buyer);
      expect([month, plan]).toEqual([month, month === 0 ? "pro" : "free"]);
      ends.push(graceUntil);
    }
    expect(new Set(ends).size).toBe(1);
    expect(ends[0]).not.toBeNull();
  } finally {
    await late.deletePurchases();
    await late.close();
  }
});

test("unpaid: nothing is given, nothing is bought beside it, and paying brings all back", async () => {
  const late = await openHarness({ afterRetries: "unpaid" }, harness.setup);
  try {
    const buyer = await late.buyer();
    const { id } = await late.buy(buyer, "pro");
    const customer = await late.customer(buyer.workspaceId);
    late.stripe.people.declineCard(customer);
    // The retries take fifteen days after the period.
    late.stripe.advance(50);
    await late.deliverEvents();
    expect(await late.me(buyer)).toMatchObject({ plan: "free", status: "unpaid", graceUntil: null });
    expect(await late.checkout(buyer, "team")).toContain("/p/session/");
    expect(late.stripe.people.openSessionsOf(customer)).toEqual([]);
    late.stripe.people.acceptCard(customer);
    late.stripe.people.payOpenInvoices(id);
    await late.deliverEvents();
    expect(await late.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
  } finally {
    await late.deletePurchases();
    await late.close();
  }
});

test("a payment that fails for good ends the subscription, and the plan with it", async () => {
  const buyer = await harness.buyer();
  await harness.buy(buyer, "pro");
  harness.stripe.people.declineCard(await harness.customer(buyer.workspaceId));
  harness.stripe.advance(50);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "free", status: "canceled", graceUntil: null });
});

test("refund and dispute: what Stripe says of the subscription stays, and so does the plan", async () => {
  const buyer = await harness.buyer();
  const { id } = await harness.buy(buyer, "pro");
  const before = await harness.me(buyer);
  const audited = await harness.planChanges(buyer.workspaceId);
  harness.stripe.people.refund(id);
  harness.stripe.people.dispute(id);
  await harness.deliverEvents();
  await harness.reconcile();
  expect(await harness.me(buyer)).toEqual(before);
  expect(await harness.planChanges(buyer.workspaceId)).toEqual(audited);
  // An operator who refunds a payment also cancels the subscription, which ends the plan here.
  harness.stripe.people.cancelNow(id);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "free", status: "canceled" });
});

test("seats: increases and decreases are audited, no member is removed, and fewer than ten count as ten", async () => {
  const buyer = await harness.buyer();
  const { id } = await harness.buy(buyer, "team");
  for (const [quantity, limit] of [
    [14, 14],
    [11, 11],
    [3, 10],
  ] as const) {
    harness.stripe.people.change(id, { quantity });
    await harness.deliverEvents();
    expect((await harness.me(buyer)).seats).toEqual({ used: 1, limit });
  }
  expect((await harness.planChanges(buyer.workspaceId)).map(({ after }) => after.seats)).toEqual([10, 14, 11, 10]);
});

test("paused: nothing is given until it goes on", async () => {
  const buyer = await harness.buyer();
  const { id } = await harness.buy(buyer, "pro");
  harness.stripe.people.pause(id);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "free", status: "paused" });
  harness.stripe.people.resume(id);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
});

test("a customer deleted at Stripe has nothing, and buys again at the first press", async () => {
  const buyer = await harness.buyer();
  const { workspaceId } = buyer;
  await harness.buy(buyer, "pro");
  const former = await harness.customer(workspaceId);
  harness.stripe.people.deleteCustomer(former);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({
    plan: "free",
    status: "none",
    interval: null,
    currentPeriodEnd: null,
  });
  expect(await harness.account(workspaceId)).toMatchObject({ customerId: null, formerCustomerId: former });
  await harness.buy(buyer, "team");
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", status: "active" });
  // No event arrived, and the customer's name is unchanged.
  const second = await harness.customer(workspaceId);
  harness.stripe.people.deleteCustomer(second);
  harness.stripe.events.take();
  await harness.buy(buyer, "pro");
  expect(await harness.customer(workspaceId)).not.toBe(second);
  expect(await harness.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
});

test("a workspace that is gone: its subscription and its page to pay on are ended, and its account goes", async () => {
  const [one, two] = [await harness.buyer(), await harness.buyer()];
  const { id } = await harness.buy(one, "pro");
  const url = await harness.checkout(two, "pro");
  const customers = [await harness.customer(one.workspaceId), await harness.customer(two.workspaceId)];
  for (const { workspaceId } of [one, two]) {
    await harness.setup.db.run("DELETE FROM membership WHERE workspace_id = $1", [uuidOf("wsp", workspaceId)]);
    await harness.setup.db.run("DELETE FROM workspace WHERE workspace_id = $1", [uuidOf("wsp", workspaceId)]);
  }
  await harness.reconcile();
  expect(harness.stripe.people.subscription(id).status).toBe("canceled");
  expect(customers.map((customer) => harness.stripe.people.openSessionsOf(customer).length)).toEqual([0, 0]);
  expect(() => harness.stripe.people.pay(sessionOf(url))).toThrow("expired");
  for (const { workspaceId } of [one, two]) expect(harness.account(workspaceId)).rejects.toThrow("never taken");
  // Later events concern no customer here.
  await harness.deliverEvents();
});

test("a price that the operator replaced goes on to be the plan's, by its product", async () => {
  const own = await openHarness({}, harness.setup);
  try {
    const { stripe, instance, setup } = own;
    const buyer = await own.buyer();
    const subscription = await own.buy(buyer, "pro");
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
    const offered = await setup.answerOf(replaced, "billing.plans", {});
    expect(JSON.stringify(offered.value)).toContain('"amount":1500');
  } finally {
    await own.deletePurchases();
    await own.close();
  }
});

test("a price of no plan takes nothing away: it is said, and what is known stays", async () => {
  const buyer = await harness.buyer();
  const { id } = await harness.buy(buyer, "pro");
  const other = harness.stripe.addPrice({ interval: "month", amount: 100 });
  harness.stripe.people.change(id, { price: other.id });
  await harness.receive();
  expect((await harness.runJobs()).map(String)[0]).toContain(`${id} has a price that is of no plan`);
  expect(await harness.me(buyer)).toMatchObject({ plan: "pro", status: "active" });
  harness.stripe.people.change(id, { price: harness.stripe.config.prices.pro.month });
  expect(await harness.runJobs()).toEqual([]);
});

test("two subscriptions: the greater counts, and the other when that ends", async () => {
  const buyer = await harness.buyer();
  const { id } = await harness.buy(buyer, "pro");
  const customer = await harness.customer(buyer.workspaceId);
  const team = harness.stripe.people.sell({ customer, price: harness.stripe.config.prices.team.month, quantity: 10 });
  await harness.deliverEvents();
  expect(await harness.account(buyer.workspaceId)).toMatchObject({ subscriptionId: team.id, plan: "team" });
  harness.stripe.people.cancelNow(team.id);
  await harness.deliverEvents();
  expect(await harness.account(buyer.workspaceId)).toMatchObject({ subscriptionId: id, plan: "pro", status: "active" });
  expect(await harness.me(buyer)).toMatchObject({ plan: "pro" });
});

test("what the operator granted is the least there is, and what is paid for stays when the operator grants less", async () => {
  const buyer = await harness.buyer("team");
  const { id } = await harness.buy(buyer, "pro");
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", status: "active" });
  harness.stripe.people.cancelNow(id);
  await harness.deliverEvents();
  expect(await harness.me(buyer)).toMatchObject({ plan: "team", status: "canceled" });
  expect(await harness.planChanges(buyer.workspaceId)).toEqual([]);
});

test("a team that buys a plan is its own holder, and stays so when that ends", async () => {
  const buyer = await harness.buyer();
  await harness.buy(buyer, "team");
  const { value } = await harness.setup.answerOf(
    harness.instance,
    "workspace.create",
    { slug: harness.setup.name("team"), name: "T" },
    { as: buyer.as },
  );
  const team = { as: buyer.as, workspaceId: (value as { workspaceId: string }).workspaceId };
  expect(harness.checkout(team, "pro")).rejects.toMatchObject({ code: "invalid_request" });
  const { id } = await harness.buy(team, "team", { quantity: 20 });
  expect(await harness.me(team)).toMatchObject({
    plan: "team",
    holder: { workspaceId: team.workspaceId },
    seats: { limit: 20 },
  });
  expect(await harness.workspace(team.workspaceId)).toMatchObject({ planHolderId: null, planGranted: "free" });
  harness.stripe.people.cancelNow(id);
  await harness.deliverEvents();
  expect(await harness.me(team)).toMatchObject({ plan: "free", status: "canceled" });
  expect(await harness.me(buyer)).toMatchObject({ plan: "team" });
});

test("an event of a process that sells nothing waits to be tried again, and reconciling there does nothing", async () => {
  const host = { ...harness.instance, billing: null, renderer: null };
  expect(runJob(host, "stripe-event", { eventId: "evt_1" }, "job")).rejects.toThrow("Stripe is not configured");
  await runJob(host, "billing-reconcile", {}, "job");
});
