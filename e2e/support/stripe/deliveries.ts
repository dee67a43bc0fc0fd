// Delivers events to the listeners: automatically with retries, or one by one under a test's control, which can hold,
// reorder, repeat and lose them.
import type Stripe from "stripe";

import { sign, type Signed, type SignOptions } from "./signatures.ts";

export interface Deliveries {
  /** From now on every event is posted there, in turn, and again until it is taken. */
  deliverTo(url: string): void;
  /** From now on events wait for `take`. */
  hold(): void;
  /** Those that wait, oldest first; they wait no longer. */
  take(): Stripe.Event[];
  /** What waits is delivered, and what comes as well. */
  release(): void;
  /** Posts an event once, to each place. Answers the statuses. */
  deliver(event: Stripe.Event): Promise<number[]>;
  /** Body and header of an event, signed with the newest secret unless another is named. */
  sign(event: Stripe.Event, options?: Partial<SignOptions>): Promise<Signed>;
  /** Signs with another secret from now on, as after a rotation. */
  rotateTo(secret: string): void;
  /** Settles when nothing is under way. @throws Error for the events that were given up */
  settled(): Promise<void>;
}

const tries = 20;
/** Between two tries, in ms. */
const pauseMs = 250;
/** For an answer, in ms. */
const timeoutMs = 30_000;

export function createDeliveries(
  firstSecret: string,
): Deliveries & { enqueue(event: Stripe.Event): void; stop(): void } {
  const places: string[] = [];
  const stopped = new AbortController();
  const givenUp: string[] = [];
  let secret = firstSecret;
  let isHeld = false;
  let waiting: Stripe.Event[] = [];
  let underWay = Promise.resolve();

  const signed = (event: Stripe.Event, options: Partial<SignOptions> = {}) => sign(event, { secret, ...options });

  async function post(url: string, { body, signature }: Signed): Promise<number> {
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    await response.arrayBuffer();
    return response.status;
  }

  async function bring(url: string, event: Stripe.Event): Promise<void> {
    let last = "";
    for (let count = 0; count < tries && !stopped.signal.aborted; count += 1) {
      if (count > 0) await Bun.sleep(pauseMs);
      // A failed connection is retried; the last error is reported at the end.
      last = await signed(event)
        .then((made) => post(url, made))
        .then(String, String);
      if (/^2\d\d$/.test(last)) return;
    }
    if (!stopped.signal.aborted) givenUp.push(`${event.type} to ${url}: ${last}`);
  }

  function send(event: Stripe.Event): void {
    for (const url of places) underWay = underWay.then(() => bring(url, event));
  }

  function take(): Stripe.Event[] {
    const taken = waiting;
    waiting = [];
    return taken;
  }

  return {
    deliverTo: (url) => void places.push(url),
    hold: () => {
      isHeld = true;
    },
    take,
    release() {
      isHeld = false;
      for (const event of take()) send(event);
    },
    deliver: async (event) => {
      const made = await signed(event);
      return Promise.all(places.map((url) => post(url, made)));
    },
    sign: signed,
    rotateTo: (next) => {
      secret = next;
    },
    async settled() {
      await underWay;
      if (givenUp.length > 0) throw new Error(`given up after ${tries} tries: ${givenUp.splice(0).join("; ")}`);
    },
    enqueue(event) {
      if (isHeld) waiting.push(event);
      else send(event);
    },
    stop: () => stopped.abort(),
  };
}
