// Random histories of actions by people and Stripe in a few workspaces, with events that arrive late, twice, in any
// order or never, and with a Stripe that fails at times. In the end each workspace matches Stripe.
import { AppError } from "@plinth/contract/errors";
import { billingIntervals, paidPlanIds } from "@plinth/contract/plans";
import type Stripe from "stripe";

import type { Setup } from "../../test/context.ts";
import { expectedOf } from "./expected.ts";
import { openHarness, sessionOf, type Buyer, type BillingHarness } from "./shop.ts";

type Random = () => number;

interface Player extends Buyer {
  readonly granted: "free" | "pro";
  /** A team on its plan, once it could create one. */
  team: string | null;
  /** Subscriptions that the operator sold outside of checkout. */
  readonly soldBeside: Set<string>;
}

interface HistoryState {
  readonly harness: BillingHarness;
  readonly random: Random;
  readonly players: readonly Player[];
  /** Events that were not delivered yet, some of them duplicates. */
  pool: Stripe.Event[];
  lost: number;
  isFailing: boolean;
}

const pick = <Kind>(random: Random, all: readonly Kind[]): Kind => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("there is nothing to choose from");
  return one;
};

/** Runs one history from its random numbers and counts its events. @throws Error where its end differs from Stripe's state */
export async function runHistory(setup: Setup, random: Random) {
  const harness = await openHarness(
    {
      afterRetries: pick(random, ["canceled", "unpaid", "past_due"]),
      portalChanges: random() < 0.8,
    },
    setup,
  );
  try {
    const state: HistoryState = {
      harness,
      random,
      players: await players(harness, random),
      pool: [],
      lost: 0,
      isFailing: false,
    };
    const steps = 10 + Math.floor(random() * 15);
    for (let left = steps; left > 0; left--) await step(state);
    await end(state);
    if (harness.stripe.unkeyed().length > 0) throw new Error("something was asked for without a key");
    return { events: harness.stripe.events.all().length, lost: state.lost, asked: harness.stripe.asked.length };
  } finally {
    await harness.deletePurchases();
    await harness.close();
  }
}

async function players(harness: BillingHarness, random: Random): Promise<Player[]> {
  const count = 1 + Math.floor(random() * 2);
  const made: Player[] = [];
  for (let n = 0; n < count; n++) {
    const granted = random() < 0.8 ? "free" : "pro";
    made.push({ ...(await harness.buyer(granted)), granted, team: null, soldBeside: new Set() });
  }
  return made;
}

const commands: readonly (readonly [number, (state: HistoryState, player: Player) => Promise<void> | void])[] = [
  [5, buy],
  [5, actAtStripe],
  [3, (state) => state.harness.stripe.advance(state.random() < 0.7 ? state.random() * 12 : state.random() * 45)],
  [4, deliverEvents],
  [2, (state) => allowFailure(state, async () => void (await state.harness.runJobs()))],
  [1, async (state, { workspaceId, as }) => void (await callApi(state, "billing.refresh", { workspaceId }, as))],
  [1, (state) => allowFailure(state, () => state.harness.reconcile())],
  [1, createTeam],
  [2, toggleFaults],
];
const weight = commands.reduce((sum, [share]) => sum + share, 0);

async function step(state: HistoryState): Promise<void> {
  const player = pick(state.random, state.players);
  let left = state.random() * weight;
  for (const [share, command] of commands) {
    left -= share;
    if (left < 0) return command(state, player);
  }
}

/** Accepts a failure only while Stripe fails. */
async function allowFailure(state: HistoryState, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!state.isFailing) throw error;
  }
}

async function callApi(
  state: HistoryState,
  name: "billing.refresh" | "billing.checkout",
  input: object,
  as: Player["as"],
): Promise<string | null> {
  try {
    const { value } = await state.harness.setup.answerOf(state.harness.instance, name, input, { as });
    return (value as { url?: string }).url ?? null;
  } catch (error) {
    if (!state.isFailing || !(error instanceof AppError) || error.code !== "billing_unavailable") throw error;
    return null;
  }
}

async function buy(state: HistoryState, player: Player): Promise<void> {
  const { harness, random } = state;
  const { workspaceId, as } = player;
  const plan = pick(random, paidPlanIds);
  const url = await callApi(
    state,
    "billing.checkout",
    { workspaceId, plan, interval: pick(random, billingIntervals) },
    as,
  );
  if (url === null || !url.includes("/c/pay/") || random() < 0.2) return;
  const own = (await subscriptionsOf(state, player)).filter(({ id }) => !player.soldBeside.has(id));
  const living = own.filter(({ status }) => !["canceled", "incomplete_expired", "incomplete"].includes(status));
  if (living.length > 0) throw new Error(`${living[0]?.id} is there, and another can be bought by ${url}`);
  ignoreRefusal(() =>
    harness.stripe.people.pay(sessionOf(url), plan === "team" ? 10 + Math.floor(random() * 9) : undefined),
  );
}

/** Stripe may refuse an action of a person or the operator: a declined card, an ended subscription. */
function ignoreRefusal(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    const { status } = error as { status?: unknown };
    const isRefusal = typeof status === "number" || /is over$|^nothing was ever paid/.test((error as Error).message);
    if (!isRefusal) throw error;
  }
}

async function subscriptionsOf(
  { harness }: HistoryState,
  { workspaceId }: Player,
): Promise<readonly Stripe.Subscription[]> {
  const [row] = await harness.setup.db.run<{ customer_id: string | null }>(
    "SELECT a.customer_id FROM billing_account a JOIN workspace w USING (workspace_id) WHERE w.slug = $1",
    [(await harness.workspace(workspaceId)).slug],
  );
  const customer = row?.customer_id ?? null;
  return customer === null ? [] : harness.stripe.people.subscriptionsOf(customer);
}

async function actAtStripe(state: HistoryState, player: Player): Promise<void> {
  const { harness, random } = state;
  const { people, config } = harness.stripe;
  const last = (await subscriptionsOf(state, player)).at(-1);
  if (last === undefined || typeof last.customer !== "string") return;
  const { id, customer, status } = last;
  const isOver = status === "canceled" || status === "incomplete_expired";
  const prices = config.prices[pick(random, paidPlanIds)];
  const price = prices[pick(random, billingIntervals)];
  const quantity = Object.values(config.prices.team).includes(price) ? 8 + Math.floor(random() * 12) : 1;
  const pressed = random();
  ignoreRefusal(() => {
    if (pressed < 0.04) return people.deleteCustomer(customer);
    if (pressed < 0.1) return void player.soldBeside.add(people.sell({ customer, price, quantity }).id);
    if (pressed < 0.2) return people.declineCard(customer);
    if (pressed < 0.3) return people.acceptCard(customer);
    if (pressed < 0.4) return people.payOpenInvoices(id);
    if (pressed < 0.45) return people.refund(id);
    if (pressed < 0.5) return people.dispute(id);
    if (isOver) return undefined;
    if (pressed < 0.7) return status === "active" ? people.change(id, { price, quantity }) : undefined;
    if (pressed < 0.8) return people.cancelAtPeriodEnd(id);
    if (pressed < 0.9) return people.resume(id);
    if (pressed < 0.95) return status === "active" ? people.pause(id) : undefined;
    return people.cancelNow(id);
  });
}

/** Delivers some events, in random order, some of them twice and some never. */
async function deliverEvents(state: HistoryState): Promise<void> {
  const { harness, random } = state;
  for (const event of harness.stripe.events.take()) {
    if (random() < 0.15) state.lost++;
    else state.pool.push(event, ...(random() < 0.3 ? [event] : []));
  }
  shuffle(state.pool, random);
  const count = Math.floor(state.pool.length * random());
  await harness.receive(state.pool.splice(0, count));
}

function shuffle(events: Stripe.Event[], random: Random): void {
  for (let at = events.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [events[at], events[other]];
    if (one !== undefined && two !== undefined) [events[at], events[other]] = [two, one];
  }
}

async function createTeam({ harness }: HistoryState, player: Player): Promise<void> {
  const { plan } = await harness.workspace(player.workspaceId);
  if (player.team !== null || plan !== "team") return;
  const wanted = { slug: harness.setup.name("team"), name: "T" };
  const { value } = await harness.setup.answerOf(harness.instance, "workspace.create", wanted, { as: player.as });
  player.team = (value as { workspaceId: string }).workspaceId;
}

function toggleFaults(state: HistoryState): void {
  if (state.isFailing) return recover(state);
  state.isFailing = true;
  // A short timeout, because some requests are never answered.
  state.harness.setRetryPolicy({ timeoutMs: 1000, retries: 0 });
  const seed = Math.floor(state.random() * 1e9);
  state.harness.stripe.faults.share(seed, 0.3, [500, 500, 429, 409, "drop-after", "hang", "hang-after"]);
}

function recover(state: HistoryState): void {
  state.isFailing = false;
  state.harness.setRetryPolicy();
  state.harness.stripe.faults.none();
}

/** Stripe recovers and the remaining events are delivered; reconciling then covers lost events and elapsed time. */
async function end(state: HistoryState): Promise<void> {
  const { harness, random } = state;
  recover(state);
  state.pool.push(...harness.stripe.events.take());
  shuffle(state.pool, random);
  await harness.receive(state.pool);
  await retry(async () => {
    const [failure] = await harness.runJobs();
    if (failure !== undefined) throw failure;
  });
  // Events report everything except the end of a grace period.
  if (state.lost === 0)
    for (const player of state.players)
      if (!(await subscriptionsOf(state, player)).some(({ status }) => status === "past_due"))
        await requireMatch(state, player);
  await retry(() => harness.reconcile());
  for (const player of state.players) await requireMatch(state, player);
}

/** On a loaded machine the fake's response can come late. */
async function retry(work: () => Promise<void>, tries = 10): Promise<void> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function requireMatch(state: HistoryState, player: Player): Promise<void> {
  const { harness } = state;
  const { stripe } = harness;
  const kept = await subscriptionsOf(state, player);
  const customer = kept[0]?.customer;
  const listed =
    typeof customer !== "string"
      ? []
      : (
          await stripe
            .client()
            .subscriptions.list({ customer, status: "all", limit: 100, expand: ["data.latest_invoice"] })
        ).data;
  const invoices =
    typeof customer === "string" ? (await stripe.client().invoices.list({ customer, limit: 100 })).data : [];
  const expected = expectedOf(listed, stripe.config.prices, player.granted, stripe.now().getTime(), invoices);
  const { plan, status, seats, currentPeriodEnd, cancelAtPeriodEnd } = await harness.me(player);
  const found = {
    plan,
    seats: seats.limit,
    status,
    periodEnd: currentPeriodEnd === null ? null : Date.parse(currentPeriodEnd),
    ends: cancelAtPeriodEnd,
  };
  const team = player.team === null ? plan : (await harness.workspace(player.team)).plan;
  if (JSON.stringify(found) !== JSON.stringify(expected) || team !== expected.plan)
    throw new Error(`here: ${JSON.stringify({ ...found, team })}; at Stripe: ${JSON.stringify(expected)}`);
}
