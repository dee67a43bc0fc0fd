import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import Stripe from "stripe";

import { startStripe, type StripeFake } from "./stripe-fake.ts";
import { buyer, someone } from "./test/purchases.ts";

let double: StripeFake;
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

const secretOf = ({ config }: StripeFake): string => config.webhookSecrets[0] ?? "";

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

  test("wait where they are held: a test takes them, and those after it are delivered", async () => {
    const there = listener(secretOf(double));
    try {
      double.events.deliverTo(there.url);
      double.events.hold();
      const [first, second] = [await someone(double), await someone(double)];
      const taken = double.events.take();
      expect(taken.map(({ data }) => data.object)).toMatchObject([{ id: first.id }, { id: second.id }]);
      expect(double.events.take()).toEqual([]);
      const { id: last } = await someone(double);
      double.events.release();
      await double.events.settled();
      expect(there.received.map(({ event }) => event.data.object)).toMatchObject([{ id: last }]);
    } finally {
      await there.stop();
    }
  });
});

test("A signature is of now, by the scheme v1, with the secret, and over the body as it is", async () => {
  await someone(double);
  const [event] = double.events.all();
  if (event === undefined) throw new Error("there was an event");
  const { body, signature } = await double.events.sign(event);
  const taken = (text: string, secret: string) => Stripe.webhooks.constructEventAsync(text, signature, secret);
  expect(signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
  expect(await taken(body, secretOf(double))).toEqual(JSON.parse(body));
  await expect(taken(`${body} `, secretOf(double))).rejects.toThrow("signature");
  await expect(taken(body, "whsec_another")).rejects.toThrow("signature");
});
