// Stripe is down, slow or wrong: error texts, retries, their cost, and that no text contains its keys.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { describeFault } from "../fault.ts";
import { billingAt } from "./billing.ts";
import { shortTimeout, openHarness, type BillingHarness, generousTimeout } from "./test/shop.ts";

let harness: BillingHarness;
beforeAll(async () => {
  harness = await openHarness({ retryPolicy: generousTimeout });
});
beforeEach(async () => {
  await harness.deletePurchases();
  harness.stripe.events.take();
});
afterAll(() => harness.close());

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: Error) => error,
  );

test("reconciling goes on past a customer that fails, and says so in the end", async () => {
  const buyers = [await harness.buyer(), await harness.buyer(), await harness.buyer()];
  for (const buyer of buyers) await harness.pay(buyer, "pro");
  // One of the two requests about the first of them: the other may come after the first about the next.
  harness.stripe.faults.next(500);
  expect((await failureOf(harness.reconcile())).message).toBe("1 of 3 customers were not brought up to date");
  const plans = await Promise.all(buyers.map(async (buyer) => (await harness.me(buyer)).plan));
  expect(plans.toSorted()).toEqual(["free", "pro", "pro"]);
  await harness.reconcile();
  for (const buyer of buyers) expect((await harness.me(buyer)).plan).toBe("pro");
});

test("reconciling leaves it at that where Stripe is away", async () => {
  for (let n = 0; n < 5; n++) await harness.checkout(await harness.buyer(), "pro");
  const asked = harness.stripe.asked.length;
  harness.stripe.faults.share(1, 1, [500]);
  expect((await failureOf(harness.reconcile())).message).toContain("3 of 5 customers were not brought up to date");
  // Two are asked at once about each, and the second may be on its way when the first has failed.
  while (harness.stripe.asked.length < asked + 6) await Bun.sleep(1);
  harness.stripe.faults.none();
  expect(harness.stripe.asked.length - asked).toBe(6);
});

test("a Stripe that never answers is waited for so long, and said to be away", async () => {
  const buyer = await harness.buyer();
  await harness.checkout(buyer, "pro");
  harness.stripe.faults.next("hang");
  harness.setRetryPolicy(shortTimeout);
  expect(await failureOf(harness.checkout(buyer, "pro"))).toMatchObject({
    code: "billing_unavailable",
    message: "Stripe can't be reached",
  });
  harness.setRetryPolicy();
  expect(await harness.checkout(buyer, "pro")).toContain("/c/pay/");
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
    const config = { ...harness.stripe.config, apiBase: proxy.url.origin };
    const instance = { ...harness.instance, billing: billingAt(config, generousTimeout) };
    const { as, workspaceId } = await harness.buyer();
    const away = { code: "billing_unavailable", message: "Stripe can't be reached" };
    const asks = (name: "billing.portal" | "billing.checkout", input: object) =>
      failureOf(harness.setup.answerOf(instance, name, { workspaceId, ...input }, { as }));
    expect(await asks("billing.portal", {})).toMatchObject(away);
    expect(await asks("billing.checkout", { plan: "pro", interval: "month" })).toMatchObject(away);
  } finally {
    await proxy.stop(true);
  }
});

test("a page that is open is found again rather than made twice", async () => {
  const buyer = await harness.buyer();
  const url = await harness.checkout(buyer, "pro");
  expect(await harness.checkout(buyer, "pro")).toBe(url);
  expect(harness.stripe.people.openSessionsOf(await harness.customer(buyer.workspaceId))).toHaveLength(1);
});

test("neither an answer nor the log has a key", async () => {
  const { stripe, instance, setup } = harness;
  const buyer = await harness.buyer();
  stripe.faults.share(1, 1, [500]);
  const error = await failureOf(harness.checkout(buyer, "team"));
  stripe.faults.none();
  const { secretKey, webhookSecrets } = stripe.config;
  for (const secret of [secretKey, ...webhookSecrets]) {
    expect(JSON.stringify([error, error.message])).not.toContain(secret);
    expect(JSON.stringify(describeFault(error.cause))).not.toContain(secret);
    const described = describeFault(new Error(`Invalid API Key provided: ${secret}`));
    expect(JSON.stringify(described)).not.toContain(secret);
  }
  expect(await setup.answerOf(instance, "billing.plans", {})).toBeDefined();
});

test("what it costs: an account brought up to date, one where nothing is new, and the page", async () => {
  const buyer = await harness.buyer();
  await harness.pay(buyer, "pro");
  const statementsOf = (work: () => Promise<unknown>) => harness.setup.statementsOf(work);
  const refresh = () =>
    harness.setup.answerOf(harness.instance, "billing.refresh", { workspaceId: buyer.workspaceId }, { as: buyer.as });
  const me = await statementsOf(() => harness.me(buyer));
  expect(me).toBe(5);
  const first = await statementsOf(refresh);
  const second = await statementsOf(refresh);
  // The workspace and its audit event; the account says when it was asked about.
  expect(first - second).toBe(2);
  expect(second).toBe(12);
});

test("invoices belong to the workspace, and an unknown cursor is not reported as a Stripe failure", async () => {
  const buyer = await harness.buyer();
  await harness.buy(buyer, "pro");
  const list = (cursor?: string) =>
    harness.setup.answerOf(
      harness.instance,
      "billing.invoices",
      { workspaceId: buyer.workspaceId, ...(cursor !== undefined && { cursor }) },
      { as: buyer.as },
    );
  expect((await list()).value).toMatchObject({ invoices: [{ status: "paid", amount: 1200, currency: "usd" }] });
  const forged = Buffer.from("invoices:in_of_nobody").toString("base64url");
  expect(await failureOf(list(forged))).toMatchObject({ code: "invalid_request" });
});
