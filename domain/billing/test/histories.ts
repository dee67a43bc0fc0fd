// Random histories of what people and Stripe do to a few workspaces, with events that come late, twice, in any order or
// never, and with a Stripe that fails meanwhile. In the end each workspace has what Stripe has.
import { AppError } from "@plinth/contract/errors";
import { billingIntervals, paidPlanIds } from "@plinth/contract/plans";
import type Stripe from "stripe";

import type { World } from "../../test/context.ts";
import { expectedOf } from "./oracle.ts";
import { openShop, sessionOf, type Buyer, type Shop } from "./shop.ts";

type Random = () => number;

interface Player extends Buyer {
  readonly granted: "free" | "pro";
  /** A team on its plan, once it could make one. */
  team: string | null;
  /** Subscriptions that the operator sold beside. */
  readonly soldBeside: Set<string>;
}

interface History {
  readonly shop: Shop;
  readonly random: Random;
  readonly players: readonly Player[];
  /** Events that were not brought yet, some for the second time. */
  pool: Stripe.Event[];
  lost: number;
  isFailing: boolean;
}

const among = <Kind>(random: Random, all: readonly Kind[]): Kind => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("there is nothing to choose from");
  return one;
};

/** One history, told by its random numbers. Answers how much happened. @throws Error where it ends otherwise than Stripe has it */
export async function history(world: World, random: Random) {
  const shop = await openShop(
    {
      afterRetries: among(random, ["canceled", "unpaid", "past_due"]),
      portalChanges: random() < 0.8,
    },
    world,
  );
  try {
    const told: History = { shop, random, players: await players(shop, random), pool: [], lost: 0, isFailing: false };
    const steps = 10 + Math.floor(random() * 15);
    for (let step = 0; step < steps; step++) await happen(told);
    await end(told);
    if (shop.stripe.unkeyed().length > 0) throw new Error("something was asked for without a key");
    return { events: shop.stripe.events.all().length, lost: told.lost, asked: shop.stripe.asked.length };
  } finally {
    await shop.forget();
    await shop.close();
  }
}

async function players(shop: Shop, random: Random): Promise<Player[]> {
  const count = 1 + Math.floor(random() * 2);
  const made: Player[] = [];
  for (let n = 0; n < count; n++) {
    const granted = random() < 0.8 ? "free" : "pro";
    made.push({ ...(await shop.buyer(granted)), granted, team: null, soldBeside: new Set() });
  }
  return made;
}

const deeds: readonly (readonly [number, (told: History, player: Player) => Promise<void> | void])[] = [
  [5, buy],
  [5, atStripe],
  [3, (told) => told.shop.stripe.advance(told.random() < 0.7 ? told.random() * 12 : told.random() * 45)],
  [4, bring],
  [2, (told) => tried(told, async () => void (await told.shop.works()))],
  [1, async (told, { workspaceId, as }) => void (await here(told, "billing.refresh", { workspaceId }, as))],
  [1, (told) => tried(told, () => told.shop.reconciles())],
  [1, makeTeam],
  [2, turnFaults],
];
const weight = deeds.reduce((sum, [share]) => sum + share, 0);

async function happen(told: History): Promise<void> {
  const player = among(told.random, told.players);
  let left = told.random() * weight;
  for (const [share, deed] of deeds) {
    left -= share;
    if (left < 0) return deed(told, player);
  }
}

/** What may fail while Stripe does, and else may not. */
async function tried(told: History, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!told.isFailing) throw error;
  }
}

async function here(
  told: History,
  name: "billing.refresh" | "billing.checkout",
  input: object,
  as: Player["as"],
): Promise<string | null> {
  try {
    const { value } = await told.shop.world.answerOf(told.shop.instance, name, input, { as });
    return (value as { url?: string }).url ?? null;
  } catch (error) {
    if (!told.isFailing || !(error instanceof AppError) || error.code !== "billing_unavailable") throw error;
    return null;
  }
}

async function buy(told: History, player: Player): Promise<void> {
  const { shop, random } = told;
  const { workspaceId, as } = player;
  const plan = among(random, paidPlanIds);
  const url = await here(
    told,
    "billing.checkout",
    { workspaceId, plan, interval: among(random, billingIntervals) },
    as,
  );
  if (url === null || !url.includes("/c/pay/") || random() < 0.2) return;
  const own = (await ofPlayer(told, player)).filter(({ id }) => !player.soldBeside.has(id));
  const living = own.filter(({ status }) => !["canceled", "incomplete_expired", "incomplete"].includes(status));
  if (living.length > 0) throw new Error(`${living[0]?.id} is there, and another can be bought by ${url}`);
  refusable(() => shop.stripe.people.pay(sessionOf(url), plan === "team" ? 10 + Math.floor(random() * 9) : undefined));
}

/** What a person or the operator does there may be refused by Stripe: a card that is declined, what is over. */
function refusable(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    const { status } = error as { status?: unknown };
    const isRefusal = typeof status === "number" || /is over$|^nothing was ever paid/.test((error as Error).message);
    if (!isRefusal) throw error;
  }
}

async function ofPlayer({ shop }: History, { workspaceId }: Player): Promise<readonly Stripe.Subscription[]> {
  const [row] = await shop.world.db.run<{ customer_id: string | null }>(
    "SELECT a.customer_id FROM billing_account a JOIN workspace w USING (workspace_id) WHERE w.slug = $1",
    [(await shop.workspace(workspaceId)).slug],
  );
  const customer = row?.customer_id ?? null;
  return customer === null ? [] : shop.stripe.people.subscriptionsOf(customer);
}

async function atStripe(told: History, player: Player): Promise<void> {
  const { shop, random } = told;
  const { people, config } = shop.stripe;
  const last = (await ofPlayer(told, player)).at(-1);
  if (last === undefined || typeof last.customer !== "string") return;
  const { id, customer, status } = last;
  const isOver = status === "canceled" || status === "incomplete_expired";
  const prices = config.prices[among(random, paidPlanIds)];
  const price = prices[among(random, billingIntervals)];
  const quantity = Object.values(config.prices.team).includes(price) ? 8 + Math.floor(random() * 12) : 1;
  const pressed = random();
  refusable(() => {
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

/** Some of what happened is told: mixed, some of it twice, some of it never. */
async function bring(told: History): Promise<void> {
  const { shop, random } = told;
  for (const event of shop.stripe.events.take()) {
    if (random() < 0.15) told.lost++;
    else told.pool.push(event, ...(random() < 0.3 ? [event] : []));
  }
  mix(told.pool, random);
  const count = Math.floor(told.pool.length * random());
  await shop.takes(told.pool.splice(0, count));
}

function mix(events: Stripe.Event[], random: Random): void {
  for (let at = events.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [events[at], events[other]];
    if (one !== undefined && two !== undefined) [events[at], events[other]] = [two, one];
  }
}

async function makeTeam({ shop }: History, player: Player): Promise<void> {
  const { plan } = await shop.workspace(player.workspaceId);
  if (player.team !== null || plan !== "team") return;
  const wanted = { slug: shop.world.name("team"), name: "T" };
  const { value } = await shop.world.answerOf(shop.instance, "workspace.create", wanted, { as: player.as });
  player.team = (value as { workspaceId: string }).workspaceId;
}

function turnFaults(told: History): void {
  if (told.isFailing) return mend(told);
  told.isFailing = true;
  // No longer than that for what never answers; what does answer may take its time.
  told.shop.waits({ timeoutMs: 1000, retries: 0 });
  const seed = Math.floor(told.random() * 1e9);
  told.shop.stripe.faults.share(seed, 0.3, [500, 500, 429, 409, "drop-after", "hang", "hang-after"]);
}

function mend(told: History): void {
  told.isFailing = false;
  told.shop.waits();
  told.shop.stripe.faults.none();
}

/** Stripe is well again, and what was not lost is brought; what was lost, or only time tells, is reconciled. */
async function end(told: History): Promise<void> {
  const { shop, random } = told;
  mend(told);
  told.pool.push(...shop.stripe.events.take());
  mix(told.pool, random);
  await shop.takes(told.pool);
  await again(async () => {
    const [failure] = await shop.works();
    if (failure !== undefined) throw failure;
  });
  // An event tells all but that a grace is over.
  if (told.lost === 0)
    for (const player of told.players)
      if (!(await ofPlayer(told, player)).some(({ status }) => status === "past_due")) await agrees(told, player);
  await again(() => shop.reconciles());
  for (const player of told.players) await agrees(told, player);
}

/** A machine that has much else to do may let the double's answer come late. */
async function again(work: () => Promise<void>, tries = 10): Promise<void> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function agrees(told: History, player: Player): Promise<void> {
  const { shop } = told;
  const { stripe } = shop;
  const kept = await ofPlayer(told, player);
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
  const { plan, status, seats, currentPeriodEnd, cancelAtPeriodEnd } = await shop.me(player);
  const found = {
    plan,
    seats: seats.limit,
    status,
    periodEnd: currentPeriodEnd === null ? null : Date.parse(currentPeriodEnd),
    ends: cancelAtPeriodEnd,
  };
  const team = player.team === null ? plan : (await shop.workspace(player.team)).plan;
  if (JSON.stringify(found) !== JSON.stringify(expected) || team !== expected.plan)
    throw new Error(`here: ${JSON.stringify({ ...found, team })}; at Stripe: ${JSON.stringify(expected)}`);
}
