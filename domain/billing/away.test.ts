// Stripe away, slow or wrong: what is said, what is tried again, what it costs, and that nothing tells its keys.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { describeFault } from "../fault.ts";
import { billingAt } from "./billing.ts";
import { hurried, openShop, type Shop, unhurried } from "./test/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ patience: unhurried });
});
beforeEach(async () => {
  await shop.forget();
  shop.stripe.events.take();
});
afterAll(() => shop.close());

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: Error) => error,
  );

test("reconciling goes on past a customer that fails, and says so in the end", async () => {
  const buyers = [await shop.buyer(), await shop.buyer(), await shop.buyer()];
  for (const buyer of buyers) await shop.pays(buyer, "pro");
  // One of the two requests about the first of them: the other may come after the first about the next.
  shop.stripe.faults.next(500);
  expect((await failureOf(shop.reconciles())).message).toBe("1 of 3 customers were not brought up to date");
  const plans = await Promise.all(buyers.map(async (buyer) => (await shop.me(buyer)).plan));
  expect(plans.toSorted()).toEqual(["free", "pro", "pro"]);
  await shop.reconciles();
  for (const buyer of buyers) expect((await shop.me(buyer)).plan).toBe("pro");
});

test("reconciling leaves it at that where Stripe is away", async () => {
  for (let n = 0; n < 5; n++) await shop.checkout(await shop.buyer(), "pro");
  const asked = shop.stripe.asked.length;
  shop.stripe.faults.share(1, 1, [500]);
  expect((await failureOf(shop.reconciles())).message).toContain("3 of 5 customers were not brought up to date");
  // Two are asked at once about each, and the second may be on its way when the first has failed.
  while (shop.stripe.asked.length < asked + 6) await Bun.sleep(1);
  shop.stripe.faults.none();
  expect(shop.stripe.asked.length - asked).toBe(6);
});

test("a Stripe that never answers is waited for so long, and said to be away", async () => {
  const buyer = await shop.buyer();
  await shop.checkout(buyer, "pro");
  shop.stripe.faults.next("hang");
  shop.waits(hurried);
  expect(await failureOf(shop.checkout(buyer, "pro"))).toMatchObject({
    code: "billing_unavailable",
    message: "Stripe can't be reached",
  });
  shop.waits();
  expect(await shop.checkout(buyer, "pro")).toContain("/c/pay/");
});

const foreign = [
  { what: "a proxy's refusal", status: 403, body: '{"message":"Cross-site POST form submissions are forbidden"}' },
  { what: "an edge that is overloaded", status: 503, body: "{}" },
  { what: "nothing, in JSON", status: 200, body: "null" },
  { what: "a list", status: 200, body: "[]" },
  { what: "a page to sign in on", status: 200, body: "<!doctype html><title>Sign in</title>" },
  { what: "nothing at all", status: 204, body: null },
];
test.each(foreign)("what is not Stripe's answer is none: $what", async ({ status, body }) => {
  const proxy = Bun.serve({ port: 0, fetch: () => new Response(body, { status }) });
  try {
    const config = { ...shop.stripe.config, apiBase: proxy.url.origin };
    const instance = { ...shop.instance, billing: billingAt(config, unhurried) };
    const { as, workspaceId } = await shop.buyer();
    const away = { code: "billing_unavailable", message: "Stripe can't be reached" };
    const asks = (name: "billing.portal" | "billing.checkout", input: object) =>
      failureOf(shop.world.answerOf(instance, name, { workspaceId, ...input }, { as }));
    expect(await asks("billing.portal", {})).toMatchObject(away);
    expect(await asks("billing.checkout", { plan: "pro", interval: "month" })).toMatchObject(away);
  } finally {
    await proxy.stop(true);
  }
});

test("a page that is open is found again rather than made twice", async () => {
  const buyer = await shop.buyer();
  const url = await shop.checkout(buyer, "pro");
  expect(await shop.checkout(buyer, "pro")).toBe(url);
  expect(shop.stripe.people.openSessionsOf(await shop.customer(buyer.workspaceId))).toHaveLength(1);
});

test("neither an answer nor the log has a key", async () => {
  const { stripe, instance, world } = shop;
  const buyer = await shop.buyer();
  stripe.faults.share(1, 1, [500]);
  const error = await failureOf(shop.checkout(buyer, "team"));
  stripe.faults.none();
  const { secretKey, webhookSecrets } = stripe.config;
  for (const secret of [secretKey, ...webhookSecrets]) {
    expect(JSON.stringify([error, error.message])).not.toContain(secret);
    expect(JSON.stringify(describeFault(error.cause))).not.toContain(secret);
    const told = describeFault(new Error(`Invalid API Key provided: ${secret}`));
    expect(JSON.stringify(told)).not.toContain(secret);
  }
  expect(await world.answerOf(instance, "billing.plans", {})).toBeDefined();
});

test("what it costs: an account brought up to date, one where nothing is new, and the page", async () => {
  const buyer = await shop.buyer();
  await shop.pays(buyer, "pro");
  const statementsOf = (work: () => Promise<unknown>) => shop.world.statementsOf(work);
  const refresh = () =>
    shop.world.answerOf(shop.instance, "billing.refresh", { workspaceId: buyer.workspaceId }, { as: buyer.as });
  const me = await statementsOf(() => shop.me(buyer));
  expect(me).toBe(5);
  const first = await statementsOf(refresh);
  const second = await statementsOf(refresh);
  // The workspace and its audit event; the account says when it was asked about.
  expect(first - second).toBe(2);
  expect(second).toBe(12);
});

test("invoices are those of the workspace, and a cursor of nobody's is no fault of Stripe's", async () => {
  const buyer = await shop.buyer();
  await shop.buys(buyer, "pro");
  const list = (cursor?: string) =>
    shop.world.answerOf(
      shop.instance,
      "billing.invoices",
      { workspaceId: buyer.workspaceId, ...(cursor !== undefined && { cursor }) },
      { as: buyer.as },
    );
  expect((await list()).value).toMatchObject({ invoices: [{ status: "paid", amount: 1200, currency: "usd" }] });
  const forged = Buffer.from("invoices:in_of_nobody").toString("base64url");
  expect(await failureOf(list(forged))).toMatchObject({ code: "invalid_request" });
});
