import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import Stripe from "stripe";

import { startStripe, type StripeDouble } from "./stripe-fake.ts";
import { buyer, someone } from "./test/purchases.ts";

let double: StripeDouble;
beforeEach(async () => {
  double = await startStripe();
});
afterEach(() => double.close());

interface Delivered {
  readonly event: Stripe.Event;
  readonly status: number;
}

/** An event listener that answers with the given refusals, and then 200. */
function listener(secret: string, ...refusals: number[]) {
  const received: Delivered[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const signature = request.headers.get("stripe-signature") ?? "";
      const event = await Stripe.webhooks.constructEventAsync(body, signature, secret);
      const status = refusals.shift() ?? 200;
      received.push({ event, status });
      return new Response(null, { status });
    },
  });
  return { url: `http://127.0.0.1:${server.port}/hook`, received, stop: () => server.stop(true) };
}

const secretOf = ({ config }: StripeDouble): string => config.webhookSecrets[0] ?? "";

describe("Events", () => {
  test("are posted in turn, signed so that the official client takes them", async () => {
    const there = listener(secretOf(double));
    try {
      double.events.deliverTo(there.url);
      await buyer(double);
      await double.events.settled();
      expect(there.received.map(({ event }) => event)).toEqual(JSON.parse(JSON.stringify(double.events.all())));
    } finally {
      await there.stop();
    }
  });

  test("are posted again until they are taken", async () => {
    const there = listener(secretOf(double), 500, 503);
    try {
      double.events.deliverTo(there.url);
      await someone(double);
      await double.events.settled();
      expect(there.received.map(({ status }) => status)).toEqual([500, 503, 200]);
      expect(new Set(there.received.map(({ event }) => event.id)).size).toBe(1);
    } finally {
      await there.stop();
    }
  });

  test("wait where they are held: a test mixes them, repeats them, loses them", async () => {
    const there = listener(secretOf(double));
    try {
      double.events.deliverTo(there.url);
      double.events.hold();
      await someone(double);
      await someone(double);
      const [first, second, ...others] = double.events.take();
      if (first === undefined || second === undefined) throw new Error("two were told of");
      expect(others).toEqual([]);
      expect(double.events.take()).toEqual([]);
      for (const event of [second, first, second]) expect(await double.events.deliver(event)).toEqual([200]);
      expect(there.received.map(({ event }) => event.id)).toEqual([second.id, first.id, second.id]);
      const { id: last } = await someone(double);
      double.events.release();
      await double.events.settled();
      expect(there.received.at(-1)?.event.data.object).toMatchObject({ id: last });
      expect(there.received.length).toBe(4);
    } finally {
      await there.stop();
    }
  });
});

describe("A signature", () => {
  const signed = async (options: Parameters<typeof double.events.sign>[1] = {}) => {
    await someone(double);
    const [event] = double.events.all();
    if (event === undefined) throw new Error("there was an event");
    return double.events.sign(event, options);
  };
  const taken = ({ body, signature }: { body: string; signature: string }, secret = secretOf(double)) =>
    Stripe.webhooks.constructEventAsync(body, signature, secret).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
        throw error;
      },
    );

  test("is of now, by the scheme v1, and over the body as it is", async () => {
    const made = await signed();
    expect(made.signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(await taken(made)).toBe(true);
    expect(await taken({ ...made, body: `${made.body} ` })).toBe(false);
    expect(await taken(made, "whsec_another")).toBe(false);
  });

  test("can be old, of another secret or of another scheme", async () => {
    expect(await taken(await signed({ at: Math.floor(Date.now() / 1000) - 301 }))).toBe(false);
    expect(await taken(await signed({ scheme: "v0" }))).toBe(false);
    const other = await signed({ secret: "whsec_another" });
    expect([await taken(other), await taken(other, "whsec_another")]).toEqual([false, true]);
  });

  test("is of the next secret after a rotation", async () => {
    double.events.rotateTo("whsec_next");
    const made = await signed();
    expect([await taken(made), await taken(made, "whsec_next")]).toEqual([false, true]);
  });
});
