// A Stripe of the tests' own, over HTTP: what the official client and a browser see of it, and what a test does with it. Its
// records have the types that Stripe's package generates from the published description of its API.
import Stripe from "stripe";

import { addPrice, addProduct, type NewPrice } from "./catalogue.ts";
import { Control } from "./control.ts";
import { Deliveries } from "./deliveries.ts";
import { Faults } from "./faults.ts";
import { passTime } from "./periods.ts";
import { createAnswering, type Asked } from "./requests.ts";
import { listen } from "./server.ts";
import { daySeconds, State, type Settings } from "./state.ts";

export type StripeFake = Awaited<ReturnType<typeof startStripe>>;

export interface StripeOptions extends Partial<Settings> {
  /** The fake's current time at its start; from then on its clock runs separately. */
  readonly startsAt?: Date;
  /** Any free one where it is left out. */
  readonly port?: number;
}

export async function startStripe({ startsAt = new Date(), port = 0, ...given }: StripeOptions = {}) {
  const settings: Settings = { afterRetries: "canceled", portalChanges: true, ...given };
  const secretKey = `sk_test_${token()}`;
  const webhookSecret = `whsec_${token()}`;
  const events = new Deliveries(webhookSecret);
  const faults = new Faults();
  const asked: Asked[] = [];
  // No request arrives before the state exists: its pages have the address that listening returns.
  let made: State | undefined;
  const requireState = (): State => {
    if (made === undefined) throw new Error("the fake has not begun");
    return made;
  };
  const answering = createAnswering(secretKey, (one) => void asked.push(one));
  const { url, close } = await listen(port, { state: requireState, answering, fault: () => faults.take() });
  const state = (made = new State(url, settings, startsAt, (event) => events.enqueue(event)));
  const prices = stock(state);
  return {
    /** Its address: `STRIPE_API_BASE`. */
    url,
    /** All that an instance is told to sell plans here (`STRIPE_…`). */
    environment: environmentOf(url, secretKey, webhookSecret, prices),
    /** The same for a test in process, in the shape that the domain takes. */
    config: { secretKey, webhookSecrets: [webhookSecret], prices, apiBase: url },
    /** What people do at Stripe. */
    people: new Control(state),
    /** All events, and their deliveries to listeners. */
    events,
    faults,
    /** What clients asked, oldest first. */
    asked: asked as readonly Asked[],
    /** Requests that could be done twice by mistake: of a POST without a key of the caller's own. */
    unkeyed: () => asked.filter(({ method, idempotencyKey }) => method === "POST" && idempotencyKey === null),
    now: () => new Date(state.now() * 1000),
    /** Lets days pass, or parts of one: periods end or begin, invoices are finalized and tried again. */
    advance: (days: number) => passTime(state, state.now() + Math.round(days * daySeconds)),
    /** For a new product where none is named. */
    addPrice: ({ product = addProduct(state, "Other"), ...price }: Omit<NewPrice, "product"> & { product?: string }) =>
      addPrice(state, { ...price, product }),
    /** An official client of the fake, without retries. */
    client: () => clientOf(url, secretKey),
    async close() {
      events.stop();
      await close();
    },
  };
}

const token = () => crypto.randomUUID().replaceAll("-", "");

/** The two plans, by the month and by the year, in cents; Team for each seat. */
function stock(state: State) {
  const pricesOf = (name: string, month: number, year: number) => {
    const product = addProduct(state, name);
    return {
      month: addPrice(state, { product, interval: "month", amount: month }).id,
      year: addPrice(state, { product, interval: "year", amount: year }).id,
    };
  };
  return { pro: pricesOf("Plinth Pro", 1200, 12_000), team: pricesOf("Plinth Team", 1000, 10_000) };
}

function environmentOf(
  url: string,
  secretKey: string,
  webhookSecret: string,
  { pro, team }: ReturnType<typeof stock>,
): Readonly<Record<string, string>> {
  return {
    STRIPE_API_BASE: url,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_PRO_MONTHLY: pro.month,
    STRIPE_PRICE_PRO_YEARLY: pro.year,
    STRIPE_PRICE_TEAM_MONTHLY: team.month,
    STRIPE_PRICE_TEAM_YEARLY: team.year,
  };
}

function clientOf(address: string, secretKey: string): Stripe {
  const { hostname, port } = new URL(address);
  return new Stripe(secretKey, { host: hostname, port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
}
