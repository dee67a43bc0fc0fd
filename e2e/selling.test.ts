// Plans of an instance over REST: its answers without Stripe and with it, and that a purchase takes effect, in one
// process and in several.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { StripeFake } from "@plinth/support/stripe/stripe-fake";
import { createClient, type Client } from "@plinth/contract/client";
import { operations, type Output } from "@plinth/contract/registry";

import { call, rightToken } from "./harness/call.ts";
import { createFixtures } from "./harness/fixtures.ts";
import { startInstance, type Front, type Instance } from "./harness/instance.ts";
import { jsonOf, send } from "./harness/http.ts";
import { clientOf, createPerson, operatorOf, signIn, type Person } from "./harness/people.ts";
import { eventually, hung } from "./harness/process.ts";
import { check } from "./harness/refusal.ts";
import { openStripe, startSelling, stripeAway, sendEventsTo } from "./harness/selling.ts";
import { sample, testRandom } from "./harness/test-seed.ts";
import { startApart } from "./scale/apart.ts";

setDefaultTimeout(hung);

interface Buyer extends Person {
  /** In their browser. */
  readonly browser: Client;
}

async function buyer(front: Front): Promise<Buyer> {
  const person = await createPerson(front, "free");
  return { ...person, browser: clientOf(front.origin, await signIn(front, person.userId)) };
}

type Billing = Output<"billing.get">;

/** What a workspace has, once it is so. */
async function until({ browser, workspaceId }: Buyer, is: (billing: Billing) => boolean): Promise<Billing> {
  let billing = await browser.call("billing.get", { workspaceId });
  for (const end = Date.now() + hung; !is(billing) && Date.now() < end; await Bun.sleep(50))
    billing = await browser.call("billing.get", { workspaceId });
  return billing;
}

/** Waits until every event is applied: a row leaves the outbox only after it is in the queue. */
async function eventsApplied(front: Front): Promise<void> {
  const operator = operatorOf(front);
  const isWaiting = async () => (await operator.call("operator.stats", {})).outbox.rows > 0;
  const areLeft = async () => {
    const { jobs } = await operator.call("operator.listJobs", { limit: 100 });
    return jobs.some(({ kind }) => kind === "stripe-event");
  };
  await eventually(
    async () => !((await isWaiting()) || (await areLeft())),
    () => "events are left that were not applied",
  );
}

/** The fake's one customer of a workspace. */
function customerOf(stripe: StripeFake, { workspaceId }: Buyer): string {
  const made = stripe.events.all().flatMap(({ type, data: { object } }) => {
    const { id, metadata } = object as { id?: string; metadata?: Record<string, string> | null };
    return type === "customer.created" && metadata?.["workspaceId"] === workspaceId ? [id ?? ""] : [];
  });
  expect(made).toHaveLength(1);
  return made[0] ?? "";
}

/** Chooses a plan, and pays for it on Stripe's page. */
async function buy(stripe: StripeFake, who: Buyer, plan: "pro" | "team") {
  const { workspaceId } = who;
  const { url } = await who.browser.call("billing.checkout", { workspaceId, plan, interval: "month" });
  expect(url).toStartWith(stripe.url);
  const customer = customerOf(stripe, who);
  const [session] = stripe.people.openSessionsOf(customer);
  return { customer, subscription: stripe.people.pay(session?.id ?? "").id };
}

/** The instance's log so far. */
const lines = (instance: Instance): Record<string, unknown>[] =>
  instance
    .stderr()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("an instance without Stripe", () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance();
  }, hung);
  afterAll(() => instance.stop());

  test("shows plans without prices and what a workspace has, and sells nothing", async () => {
    const { workspaceId, browser } = await buyer(instance);
    const { plans, pricesKnown } = await createClient({ baseUrl: instance.origin }).call("billing.plans", {});
    expect(pricesKnown).toBe(true);
    expect(plans.map(({ id, prices }) => [id, prices])).toEqual([
      ["free", []],
      ["pro", []],
      ["team", []],
    ]);
    const billing = await browser.call("billing.get", {});
    expect(billing).toMatchObject({ workspaceId, plan: "free", status: "none", available: false });
    for (const ask of [
      () => browser.call("billing.refresh", { workspaceId }),
      () => browser.call("billing.invoices", { workspaceId }),
      () => browser.call("billing.checkout", { workspaceId, plan: "pro", interval: "month" }),
      () => browser.call("billing.portal", { workspaceId }),
      () => operatorOf(instance).call("operator.runJob", { kind: "billing-reconcile" }),
    ])
      await expect(ask()).rejects.toMatchObject({ problem: { status: 503, code: "billing_unavailable" } });
  });

  test("refuses Stripe's events without calling that a fault, and says nothing of billing in its health", async () => {
    const requestId = "an-event-for-nobody";
    const headers = { "x-request-id": requestId };
    const refused = await send(`${instance.origin}/api/billing/webhook`, { method: "POST", headers, body: {} });
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([503, expect.any(Number)]);
    // The request has exactly one line, and no error.
    const about = () => lines(instance).filter((line) => line["requestId"] === requestId);
    for (const end = Date.now() + hung; about().length === 0 && Date.now() < end; await Bun.sleep(20));
    expect(about()).toMatchObject([{ route: "/api/billing/webhook", status: 503 }]);
    expect(instance.stderr()).not.toContain("Stripe");
    const { checks } = await createClient({ baseUrl: instance.origin }).call("health", {});
    expect(Object.keys(checks ?? {})).toEqual(["database", "queue", "renderer"]);
  });
});

/** Every operation that asks Stripe answers 503 billing_unavailable. */
async function requireUnavailable(instance: Instance): Promise<void> {
  const fixtures = await createFixtures(instance);
  const asking = operations.filter(
    ({ name, errors }) => errors.includes("billing_unavailable") && name !== "operator.runJob",
  );
  expect(asking).toHaveLength(4);
  for (const op of asking) {
    const answer = await call(fixtures, op, await rightToken(fixtures, op));
    // Nothing is asked about a workspace that never went to Stripe.
    if (op.name === "billing.refresh" || op.name === "billing.invoices") jsonOf(answer);
    else {
      const faults = lines(instance).filter(({ level }) => level === "error");
      check(answer, "billing_unavailable", [op.name, ...faults.map((line) => JSON.stringify(line))].join("\n"));
    }
  }
}

describe("an instance whose Stripe is away", () => {
  test("is ready all the same, says so once, keeps what there is, and answers what asks Stripe with 503", async () => {
    const instance = await startInstance({ env: stripeAway() });
    try {
      const said = () => instance.stderr().split("Stripe can't be reached").length - 1;
      for (const end = Date.now() + hung; said() === 0 && Date.now() < end; await Bun.sleep(50));
      expect(said()).toBe(1);
      expect(instance.stderr()).toContain("Plans are sold through Stripe (test mode)");
      const { workspaceId, browser } = await buyer(instance);
      expect(await browser.call("billing.get", {})).toMatchObject({ workspaceId, available: true });
      await requireUnavailable(instance);
    } finally {
      await instance.stop();
    }
  });
});

/** Each deployment: its URL, and how it is stopped. */
const shapes = {
  "in one process": async () => {
    const { stripe, instance, ...selling } = await startSelling();
    return { stripe, front: instance as Front, stop: () => selling.stop() };
  },
  "with its API and worker apart": async () => {
    const stripe = await openStripe();
    const apart = await startApart(stripe.environment);
    sendEventsTo(stripe, apart.apis[1]);
    const stop = async () => {
      await stripe.close();
      await apart.stop();
    };
    return { stripe, front: apart.front, stop };
  },
};

// One of both, by the seed of the run; `TEST_SAMPLES=all bun run test e2e/selling` has both.
for (const [shape, start] of sample(Object.entries(shapes), 1, testRandom("selling")))
  describe(`an instance that sells plans ${shape}`, () => {
    let place: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      place = await start();
    }, 2 * hung);
    afterAll(() => place.stop(), hung);

    test("answers all six operations, with Stripe's prices", async () => {
      const { front, stripe } = place;
      const ada = await buyer(front);
      const { workspaceId, browser } = ada;
      const { plans } = await createClient({ baseUrl: front.origin }).call("billing.plans", {});
      expect(plans.map(({ prices }) => prices.map(({ interval, amount }) => [interval, amount]))).toEqual([
        [],
        [
          ["month", 1200],
          ["year", 12_000],
        ],
        [
          ["month", 1000],
          ["year", 10_000],
        ],
      ]);
      expect(await browser.call("billing.get", {})).toMatchObject({ plan: "free", available: true });
      expect(await browser.call("billing.refresh", { workspaceId })).toMatchObject({ plan: "free", status: "none" });
      expect(await browser.call("billing.invoices", {})).toEqual({ invoices: [], nextCursor: null });
      await buy(stripe, ada, "pro");
      await until(ada, ({ plan }) => plan === "pro");
      const { invoices } = await browser.call("billing.invoices", {});
      expect(invoices).toMatchObject([{ status: "paid", amount: 1200 }]);
      const { url } = await browser.call("billing.portal", { workspaceId });
      expect(url).toStartWith(stripe.url);
      expect((await send(url)).status).toBe(200);
    });

    test("entitles by an event alone, and by the job where the event is lost", async () => {
      const { front, stripe } = place;
      const ada = await buyer(front);
      const { workspaceId, browser } = ada;
      const { subscription } = await buy(stripe, ada, "team");
      expect(await until(ada, ({ plan }) => plan === "team")).toMatchObject({
        status: "active",
        interval: "month",
        seats: { used: 1, limit: 10 },
      });
      await browser.call("workspace.create", { slug: `team-of-${ada.username}`, name: "A team" });
      await stripe.events.settled();
      // An event applied later would ask Stripe again, and find its newer state.
      await eventsApplied(front);
      stripe.events.hold();
      stripe.people.cancelNow(subscription);
      expect(await browser.call("billing.get", {})).toMatchObject({ plan: "team" });
      await operatorOf(front).call("operator.runJob", { kind: "billing-reconcile" });
      expect(await until(ada, ({ plan }) => plan === "free")).toMatchObject({ status: "canceled" });
      stripe.events.release();
      await stripe.events.settled();
      const { auditEvents } = await ada.client.call("audit.listInWorkspace", { workspaceId, kind: "plan.changed" });
      expect(auditEvents.map(({ after }) => after)).toMatchObject([{ plan: "free" }, { plan: "team" }]);
    });

    test("what the operator sets and what is bought: the greater holds, and what was set is left at the end", async () => {
      const { front, stripe } = place;
      const ada = await buyer(front);
      const { workspaceId } = ada;
      const { subscription } = await buy(stripe, ada, "pro");
      await until(ada, ({ plan }) => plan === "pro");
      const set = (plan: "free" | "team") => operatorOf(front).call("operator.setPlan", { workspaceId, plan });
      expect(await set("free")).toMatchObject({ plan: "pro" });
      expect(await set("team")).toMatchObject({ plan: "team" });
      stripe.people.cancelNow(subscription);
      expect(await until(ada, ({ status }) => status === "canceled")).toMatchObject({ plan: "team" });
    });
  });
