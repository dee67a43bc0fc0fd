import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import Stripe from "stripe";

import { startStripe, type StripeFake } from "./stripe-fake.ts";
import { buyer, sessionFor, someone } from "./test/purchases.ts";

let double: StripeFake;
let stripe: Stripe;
beforeAll(async () => {
  double = await startStripe();
  stripe = double.client();
});
afterAll(() => double.close());

/** What Stripe says, of a promise that has to be refused. */
async function refusalOf(asked: Promise<unknown>) {
  const error = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error(`not refused by Stripe: ${String(error)}`);
  const { type, statusCode, code, param } = error;
  return { type, statusCode, code, param };
}

/** Makes a customer without the official client. */
const posted = (body: string, contentType = "application/x-www-form-urlencoded"): Promise<Response> =>
  fetch(`${double.url}/v1/customers`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${double.config.secretKey}`,
      "stripe-version": Stripe.API_VERSION,
      "content-type": contentType,
    },
    body,
  });

const invalid = { type: "StripeInvalidRequestError", statusCode: 400 } as const;

describe("A request is refused as Stripe refuses it", () => {
  test("with another key: 401", async () => {
    const { hostname: host, port } = new URL(double.url);
    const other = new Stripe("sk_test_other", { host, port, protocol: "http" });
    expect(await refusalOf(other.prices.retrieve(double.config.prices.pro.month))).toMatchObject({
      type: "StripeAuthenticationError",
      statusCode: 401,
    });
  });

  test("in another version of the interface", async () => {
    const asked = stripe.prices.retrieve(double.config.prices.pro.month, {}, { apiVersion: "2020-08-27" });
    expect(await refusalOf(asked)).toMatchObject(invalid);
  });

  test("in another encoding than a form", async () => {
    const response = await posted("{}", "application/json");
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { type: "invalid_request_error", message: "Invalid request: the body must be form-encoded" },
    });
  });

  test("for a path that is none", async () => {
    expect(await refusalOf(stripe.coupons.list())).toMatchObject({
      type: "StripeInvalidRequestError",
      statusCode: 404,
    });
  });

  test("for a parameter it does not know, at any depth, and does nothing", async () => {
    const { id: customer } = await someone(double);
    const asked = stripe.rawRequest("POST", "/v1/customers", { email: "x@example.com", nmae: "X" });
    expect(await refusalOf(asked)).toEqual({ ...invalid, code: "parameter_unknown", param: "nmae" });
    const price = double.config.prices.pro.month;
    const deep = stripe.rawRequest("POST", "/v1/checkout/sessions", {
      mode: "subscription",
      customer,
      success_url: "http://localhost/",
      line_items: [{ price, quantity: 1, amount: 5 }],
    });
    expect(await refusalOf(deep)).toEqual({ ...invalid, code: "parameter_unknown", param: "line_items[0][amount]" });
    expect(double.people.openSessionsOf(customer)).toEqual([]);
  });

  test("without what is required", async () => {
    const asked = stripe.billingPortal.sessions.create({ return_url: "http://localhost/" });
    expect(await refusalOf(asked)).toEqual({ ...invalid, code: "parameter_missing", param: "customer" });
  });

  test("for an empty text, a number that is none, an address that is none, and a choice that is none", async () => {
    const { id: customer } = await someone(double);
    const empty = stripe.billingPortal.sessions.create({ customer: "" });
    expect(await refusalOf(empty)).toEqual({ ...invalid, code: "parameter_invalid_empty", param: "customer" });
    const limit = stripe.rawRequest("GET", "/v1/invoices?limit=ten");
    expect(await refusalOf(limit)).toEqual({ ...invalid, code: "parameter_invalid_integer", param: "limit" });
    const many = stripe.invoices.list({ limit: 101 });
    expect(await refusalOf(many)).toEqual({ ...invalid, code: "parameter_invalid_integer", param: "limit" });
    const address = stripe.billingPortal.sessions.create({ customer, return_url: "/settings" });
    expect(await refusalOf(address)).toEqual({ ...invalid, code: "url_invalid", param: "return_url" });
    const choice = stripe.subscriptions.list({ customer, status: "living" });
    expect(await refusalOf(choice)).toMatchObject({ ...invalid, param: "status" });
  });

  test("for what is not there: 404 by its path, 400 by a parameter", async () => {
    const missing = { type: "StripeInvalidRequestError", code: "resource_missing" } as const;
    expect(await refusalOf(stripe.prices.retrieve("price_none"))).toEqual({ ...missing, statusCode: 404, param: "id" });
    expect(await refusalOf(stripe.customers.retrieve("cus_none"))).toMatchObject({ ...missing, statusCode: 404 });
    expect(await refusalOf(stripe.subscriptions.retrieve("sub_none"))).toMatchObject({ ...missing, statusCode: 404 });
    const listed = stripe.subscriptions.list({ customer: "cus_none" });
    expect(await refusalOf(listed)).toEqual({ ...missing, statusCode: 400, param: "customer" });
    const { id: customer } = await someone(double);
    expect(await refusalOf(sessionFor(double, customer, { price: "price_none", quantity: 1 }))).toEqual({
      ...missing,
      statusCode: 400,
      param: "line_items[0][price]",
    });
  });

  test("for an expansion it does not have", async () => {
    const asked = stripe.subscriptions.list({ expand: ["data.customer"] });
    expect(await refusalOf(asked)).toMatchObject({ ...invalid, param: "expand" });
  });

  test("for a name that is a value and a place of values", async () => {
    expect((await posted("metadata=1&metadata[a]=2")).status).toBe(400);
  });
});

describe("An idempotency key", () => {
  const wanted = { email: "key@example.com" };

  test("gets the answer it got, and nothing is done twice", async () => {
    const before = double.events.all().length;
    const [first, second] = [
      await stripe.customers.create(wanted, { idempotencyKey: "same" }),
      await stripe.customers.create(wanted, { idempotencyKey: "same" }),
    ];
    expect(second.id).toBe(first.id);
    expect(double.events.all().length).toBe(before + 1);
  });

  test("is refused with other parameters", async () => {
    await stripe.customers.create(wanted, { idempotencyKey: "other" });
    const asked = stripe.customers.create({ email: "another@example.com" }, { idempotencyKey: "other" });
    expect(await refusalOf(asked)).toMatchObject({ type: "StripeIdempotencyError", statusCode: 400 });
  });

  test("may be used again after a refusal", async () => {
    const price = double.config.prices.pro.month;
    const { id: customer } = await someone(double);
    const ask = (quantity: number) =>
      stripe.rawRequest(
        "POST",
        "/v1/checkout/sessions",
        { mode: "subscription", customer, success_url: "http://localhost/", line_items: [{ price, quantity }] },
        { additionalHeaders: { "Idempotency-Key": "refused" } },
      );
    expect(await refusalOf(ask(0))).toMatchObject(invalid);
    expect(await ask(1)).toMatchObject({ object: "checkout.session", status: "open" });
  });

  test("is reported missing where the caller gave none, even if the client sends one by itself", async () => {
    const before = double.unkeyed();
    await stripe.customers.create(wanted, { idempotencyKey: "counted" });
    expect(double.unkeyed()).toEqual(before);
    await stripe.customers.create(wanted);
    const missed = { method: "POST", path: "/v1/customers", idempotencyKey: null, status: 200 };
    expect(double.unkeyed()).toEqual([...before, missed]);
  });
});

describe("Lists", () => {
  test("begin with what was made last, and are paged through", async () => {
    const { customer } = await buyer(double);
    double.advance(100);
    const all = await stripe.invoices.list({ customer, limit: 100 });
    expect(all.data.map(({ number }) => number?.slice(-4))).toEqual(["0004", "0003", "0002", "0001"]);
    expect(all.has_more).toBe(false);
    const first = await stripe.invoices.list({ customer, limit: 3 });
    expect(first.has_more).toBe(true);
    const last = first.data.at(-1)?.id ?? "";
    const rest = await stripe.invoices.list({ customer, limit: 3, starting_after: last });
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(all.data.map(({ id }) => id));
    const walked: string[] = [];
    for await (const { id } of stripe.invoices.list({ customer, limit: 1 })) walked.push(id);
    expect(walked).toEqual(all.data.map(({ id }) => id));
  });

  test("of sessions are chosen by customer and status", async () => {
    const { customer } = await buyer(double);
    const { id } = await sessionFor(double, customer);
    const open = await stripe.checkout.sessions.list({ customer, status: "open", limit: 100 });
    expect(open.data.map((one) => one.id)).toEqual([id]);
    expect((await stripe.checkout.sessions.list({ customer })).data.length).toBe(2);
  });

  test("of subscriptions have the ended ones where all are asked for, and the invoice where it is asked for", async () => {
    const { customer, subscription } = await buyer(double);
    await stripe.subscriptions.cancel(subscription);
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
    const all = await stripe.subscriptions.list({ customer, status: "all", expand: ["data.latest_invoice"] });
    expect(all.data).toMatchObject([{ id: subscription, status: "canceled", latest_invoice: { status: "paid" } }]);
    const plain = await stripe.subscriptions.list({ customer, status: "canceled" });
    expect(plain.data.map(({ latest_invoice }) => typeof latest_invoice)).toEqual(["string"]);
  });
});

test("Metadata comes back as it was sent, with any characters", async () => {
  const metadata = { "a.b": "[x]&=ü % +", instance: "https://plinth.example/?a[b]=c" };
  const { id } = await stripe.customers.create({ name: "Ünal & Söhne [GmbH]", metadata });
  expect(await stripe.customers.retrieve(id)).toMatchObject({ name: "Ünal & Söhne [GmbH]", metadata });
});
