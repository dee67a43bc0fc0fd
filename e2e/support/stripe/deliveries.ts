// Delivers events to the listeners: automatically with retries, or one by one under a test's control, which can hold,
// reorder, repeat and lose them.
import Stripe from "stripe";

export interface Signed {
  readonly body: string;
  /** The header `stripe-signature`. */
  readonly signature: string;
}

const tries = 20;
/** Between two tries, in ms. */
const pauseMs = 250;
/** For an answer, in ms. */
const timeoutMs = 30_000;

export class Deliveries {
  readonly #places: string[] = [];
  readonly #stopped = new AbortController();
  readonly #givenUp: string[] = [];
  readonly #all: Stripe.Event[] = [];
  #isHeld = false;
  #waiting: Stripe.Event[] = [];
  #underWay = Promise.resolve();

  constructor(private readonly secret: string) {}

  /** All events, oldest first. */
  all(): readonly Stripe.Event[] {
    return this.#all;
  }

  /** From now on every event is posted there, in turn, and again until it is taken. */
  deliverTo(url: string): void {
    this.#places.push(url);
  }

  /** From now on events wait for `take`. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Those that wait, oldest first; they wait no longer. */
  take(): Stripe.Event[] {
    return this.#waiting.splice(0);
  }

  /** What waits is delivered, and what comes as well. */
  release(): void {
    this.#isHeld = false;
    for (const event of this.take()) this.#send(event);
  }

  /** Body and header of an event, at the current time of the receiver's clock rather than the fake's. */
  async sign(event: Stripe.Event): Promise<Signed> {
    const payload = JSON.stringify(event);
    const timestamp = Math.floor(Date.now() / 1000);
    const options = { payload, secret: this.secret, timestamp };
    return { body: payload, signature: await Stripe.webhooks.generateTestHeaderStringAsync(options) };
  }

  /** Settles when nothing is under way. @throws Error for the events that were given up */
  async settled(): Promise<void> {
    await this.#underWay;
    if (this.#givenUp.length > 0)
      throw new Error(`given up after ${tries} tries: ${this.#givenUp.splice(0).join("; ")}`);
  }

  enqueue(event: Stripe.Event): void {
    this.#all.push(event);
    if (this.#isHeld) this.#waiting.push(event);
    else this.#send(event);
  }

  stop(): void {
    this.#stopped.abort();
  }

  #send(event: Stripe.Event): void {
    for (const url of this.#places) this.#underWay = this.#underWay.then(() => this.#bring(url, event));
  }

  async #bring(url: string, event: Stripe.Event): Promise<void> {
    let last = "";
    for (let count = 0; count < tries && !this.#stopped.signal.aborted; count += 1) {
      if (count > 0) await Bun.sleep(pauseMs);
      // A failed connection is retried; the last error is reported at the end.
      last = await this.#post(url, event).then(String, String);
      if (/^2\d\d$/.test(last)) return;
    }
    if (!this.#stopped.signal.aborted) this.#givenUp.push(`${event.type} to ${url}: ${last}`);
  }

  async #post(url: string, event: Stripe.Event): Promise<number> {
    const { body, signature } = await this.sign(event);
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    await response.arrayBuffer();
    return response.status;
  }
}
