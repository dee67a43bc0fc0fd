import { afterEach, beforeEach, expect, test } from "bun:test";

import Stripe from "stripe";

import type { Fault } from "./faults.ts";
import { startStripe, type StripeFake } from "./stripe-fake.ts";

let double: StripeFake;
beforeEach(async () => {
  double = await startStripe();
});
afterEach(() => double.close());

/** How a customer's making ends: "made", or the kind of error. */
function makingOf(options: { readonly timeout?: number; readonly key?: string } = {}): Promise<string> {
  const { timeout, key: idempotencyKey } = options;
  const more = { ...(timeout !== undefined && { timeout }), ...(idempotencyKey !== undefined && { idempotencyKey }) };
  return double
    .client()
    .customers.create({ email: "ada@example.com" }, more)
    .then(
      () => "made",
      (error: unknown) => {
        if (error instanceof Stripe.errors.StripeError) return error.type;
        throw error;
      },
    );
}

const made = () => double.events.all().length;

test.each([
  [500, "StripeAPIError"],
  [429, "StripeRateLimitError"],
  [409, "StripeAPIError"],
] as const)("The next request fails with %i, and the one after doesn't", async (fault, kind) => {
  double.faults.next(fault);
  expect([await makingOf(), made()]).toEqual([kind, 0]);
  expect([await makingOf(), made()]).toEqual(["made", 1]);
});

test.each([
  ["hang", 0],
  ["hang-after", 1],
] as const)("A request that meets %s has no answer, and %i was done", async (fault, done) => {
  double.faults.next(fault);
  expect([await makingOf({ timeout: 500 }), made()]).toEqual(["StripeConnectionError", done]);
});

test("A request that meets drop-after twice loses its connection, and was done once", async () => {
  // The client asks once more by itself, with the same key.
  double.faults.next("drop-after", "drop-after");
  expect([await makingOf(), made()]).toEqual(["StripeConnectionError", 1]);
  expect(double.asked.length).toBe(2);
});

test("A request whose response was lost returns it when retried with the same key", async () => {
  double.faults.next("hang-after");
  expect(await makingOf({ timeout: 500, key: "once" })).toBe("StripeConnectionError");
  expect([await makingOf({ key: "once" }), made()]).toEqual(["made", 1]);
});

test("A share of requests fails, the same ones for the same seed, until there are to be none", async () => {
  const among: readonly Fault[] = [500, 429];
  const run = async (seed: number) => {
    double.faults.share(seed, 0.5, among);
    const ends: string[] = [];
    for (let count = 0; count < 40; count += 1) ends.push(await makingOf());
    return ends;
  };
  const first = await run(7);
  expect(new Set(first)).toEqual(new Set(["made", "StripeAPIError", "StripeRateLimitError"]));
  expect(await run(7)).toEqual(first);
  expect(await run(8)).not.toEqual(first);
  double.faults.none();
  expect(await makingOf()).toBe("made");
});

test("Pages never fail: people press on, and only clients meet failures", async () => {
  double.faults.next(500);
  expect((await fetch(`${double.url}/`)).status).toBe(404);
  expect(await makingOf()).toBe("StripeAPIError");
});
