// A Stripe of the tests' own, over HTTP: what the official client and a browser see of it, and what a test does with it. Its
// records have the types that Stripe's package generates from the published description of its API.
import Stripe from "stripe";

import { addPrice, addProduct, type NewPrice } from "./catalogue.ts";
import { createClock, daySeconds } from "./clock.ts";
import { createControl, type Control } from "./control.ts";
import { createDeliveries, type Deliveries } from "./deliveries.ts";
import { createFaults, type Faults } from "./faults.ts";
import { passTime } from "./periods.ts";
import { createAnswering, type Asked } from "./requests.ts";
import { listen } from "./server.ts";
import { createSetup, type Settings, type Setup } from "./setup.ts";

export interface StripeDouble {
  /** Its address: `STRIPE_API_BASE`. */
  readonly url: string;
  /** All that an instance is told to sell plans here (`STRIPE_…`). */
  readonly environment: Readonly<Record<string, string>>;
  /** The same for a test in process, in the shape that the domain takes. */
  readonly config: DoubleConfig;
  /** What people do at Stripe. */
  readonly people: Control;
  /** All events, and their deliveries to listeners. */
  readonly events: Deliveries & { all(): Stripe.Event[] };
  readonly faults: Faults;
  /** What clients asked, oldest first. */
  readonly asked: readonly Asked[];
  /** Requests that could be done twice by mistake: of a POST without a key of the caller's own. */
  unkeyed(): Asked[];
  now(): Date;
  /** Lets days pass, or parts of one: periods end or begin, invoices are finalized and tried again. */
  advance(days: number): void;
  addProduct(name: string): Stripe.Product;
  /** For a new product where none is named. */
  addPrice(price: Omit<NewPrice, "product"> & { readonly product?: string }): Stripe.Price;
  /** An official client of the fake, without retries. */
  client(): Stripe;
  close(): Promise<void>;
}

interface Prices {
  readonly month: string;
  readonly year: string;
}

export interface DoubleConfig {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  readonly prices: { readonly pro: Prices; readonly team: Prices };
  readonly apiBase: string;
}

export interface DoubleOptions extends Partial<Settings> {
  /** The fake's current time at its start; from then on its clock runs separately. */
  readonly startsAt?: Date;
  /** Any free one where it is left out. */
  readonly port?: number;
}

const retryDays = [3, 5, 7];

export async function startStripe(options: DoubleOptions = {}): Promise<StripeDouble> {
  const { startsAt = new Date(), port = 0, ...given } = options;
  const settings: Settings = { retryDays, afterRetries: "canceled", portalChanges: true, ...given };
  const secretKey = `sk_test_${token()}`;
  const webhookSecret = `whsec_${token()}`;
  const deliveries = createDeliveries(webhookSecret);
  const faults = createFaults();
  const asked: Asked[] = [];
  // No request arrives before the state exists: its pages have the address that listening returns.
  let made: Setup | undefined;
  const setup = (): Setup => {
    if (made === undefined) throw new Error("the double has not begun");
    return made;
  };
  const answering = createAnswering(secretKey, (one) => void asked.push(one));
  const server = await listen(port, { setup, answering, fault: () => faults.take() });
  made = createSetup(server.url, createClock(startsAt), settings, (event) => deliveries.enqueue(event));
  const prices = stock(made);
  const { url } = server;
  return {
    url,
    environment: environmentOf(url, secretKey, webhookSecret, prices),
    config: { secretKey, webhookSecrets: [webhookSecret], prices, apiBase: url },
    people: createControl(made),
    events: { ...deliveries, all: () => [...setup().events.values()] },
    faults,
    asked,
    unkeyed: () => asked.filter(({ method, idempotencyKey }) => method === "POST" && idempotencyKey === null),
    now: () => new Date(setup().clock.now() * 1000),
    advance: (days) => passTime(setup(), setup().clock.now() + Math.round(days * daySeconds)),
    addProduct: (name) => addProduct(setup(), name),
    addPrice: (price) => addPrice(setup(), { ...price, product: price.product ?? addProduct(setup(), "Other").id }),
    client: () => clientOf(url, secretKey),
    async close() {
      deliveries.stop();
      await server.close();
    },
  };
}

const token = () => crypto.randomUUID().replaceAll("-", "");

/** The two plans, by the month and by the year, in cents; Team for each seat. */
function stock(setup: Setup): DoubleConfig["prices"] {
  const pricesOf = (name: string, month: number, year: number): Prices => {
    const product = addProduct(setup, name).id;
    return {
      month: addPrice(setup, { product, interval: "month", amount: month }).id,
      year: addPrice(setup, { product, interval: "year", amount: year }).id,
    };
  };
  return { pro: pricesOf("Plinth Pro", 1200, 12_000), team: pricesOf("Plinth Team", 1000, 10_000) };
}

function environmentOf(url: string, secretKey: string, webhookSecret: string, { pro, team }: DoubleConfig["prices"]) {
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
