// A test context that sells plans through a fake Stripe: actions in the product, actions at Stripe, and delivered
// events.
import { uuidOf } from "@plinth/db/columns";
import { billingAccount } from "@plinth/db/schema/billing";
import { workspace } from "@plinth/db/schema/accounts";
import type { BillingInterval, PaidPlanId, PlanId } from "@plinth/contract/plans";
import type { Output } from "@plinth/contract/registry";
import { startStripe, type StripeOptions } from "@plinth/support/stripe/stripe-fake";
import { eq } from "drizzle-orm";
import type Stripe from "stripe";

import type { Instance } from "../../context.ts";
import type { Billing } from "../../services.ts";
import { createSetup, type Caller, type TestPerson, type Setup } from "../../test/context.ts";
import { findAccount } from "../account.ts";
import { billingAt } from "../billing.ts";
import { applyEvent, receiveEvent } from "../events.ts";
import { reconcile } from "../reconcile.ts";
import type { RetryPolicy } from "../stripe.ts";

/** No retries, so that each failure counts; a slow response on a busy machine does not fail. */
export const generousTimeout: RetryPolicy = { timeoutMs: 60_000, retries: 0 };
/** For requests that are never answered. */
export const shortTimeout: RetryPolicy = { timeoutMs: 1500, retries: 0 };

export interface Buyer extends TestPerson {
  readonly as: Caller;
}

/** A payer and the workspace. */
type Payer = Pick<Buyer, "as" | "workspaceId">;

interface Terms {
  readonly interval?: BillingInterval;
  readonly quantity?: number;
}

export type BillingHarness = Awaited<ReturnType<typeof openHarness>>;

interface HarnessOptions extends StripeOptions {
  readonly retryPolicy?: RetryPolicy;
}

/** Uses a new test context, or a shared one, which it leaves open when it closes. */
export async function openHarness({ retryPolicy, ...options }: HarnessOptions = {}, shared?: Setup) {
  const stripe = await startStripe(options);
  stripe.events.hold();
  const setup = shared ?? (await createSetup());
  const config = { ...setup.instance.config, billing: stripe.config, defaultPlan: "free" as const };
  const billing = billingAt(stripe.config, retryPolicy);
  const instance: Instance & { billing: Billing } = { ...setup.instance, config, billing };
  const { db } = instance;

  const harness = {
    stripe,
    setup,
    instance,
    billing,

    /** Uses the given retry policy for Stripe from now on, or restores the original one. Known prices stay. */
    setRetryPolicy(other?: RetryPolicy): void {
      const { prices } = billing;
      if (other === undefined) instance.billing = billing;
      else instance.billing = { ...billingAt(stripe.config, other), ...(prices.known() !== null && { prices }) };
    },

    async buyer(plan: PlanId = "free"): Promise<Buyer> {
      const person = await setup.person({ plan });
      return { ...person, as: await setup.session(person.userId) };
    },

    checkout: ({ as, workspaceId }: Payer, plan: PaidPlanId, interval: BillingInterval = "month"): Promise<string> =>
      harness.urlOf("billing.checkout", { workspaceId, plan, interval }, as),

    portal: ({ as, workspaceId }: Payer): Promise<string> => harness.urlOf("billing.portal", { workspaceId }, as),

    async urlOf(name: "billing.checkout" | "billing.portal", input: object, as: Caller): Promise<string> {
      const { value } = await setup.answerOf(instance, name, input, { as });
      return (value as { url: string }).url;
    },

    /** Goes to checkout and pays. No event is delivered yet. */
    async pay(
      buyer: Payer,
      plan: PaidPlanId,
      { interval = "month", quantity }: Terms = {},
    ): Promise<Stripe.Subscription> {
      const url = await harness.checkout(buyer, plan, interval);
      return stripe.people.pay(sessionOf(url), quantity);
    },

    /** Buys a plan and delivers all events of it. */
    async buy(buyer: Payer, plan: PaidPlanId, terms: Terms = {}): Promise<Stripe.Subscription> {
      const subscription = await harness.pay(buyer, plan, terms);
      await harness.deliverEvents();
      return subscription;
    },

    /** Receives events as the webhook does; by default all that wait. */
    async receive(events: readonly Stripe.Event[] = stripe.events.take()): Promise<void> {
      for (const event of events) {
        const { body, signature } = await stripe.events.sign(event);
        await receiveEvent(instance, body, signature);
      }
    },

    /** Runs the waiting jobs at the fake's time; a failed job keeps waiting. Returns the failures. */
    async runJobs(): Promise<unknown[]> {
      const failures: unknown[] = [];
      const rows = await db.run<{ job_id: string; payload: { eventId: string } }>(
        "SELECT job_id, payload FROM outbox WHERE kind = 'stripe-event' ORDER BY job_id",
      );
      for (const { job_id, payload } of rows) {
        try {
          await applyEvent(instance, payload.eventId, "job-test", stripe.now());
          await db.run("DELETE FROM outbox WHERE job_id = $1", [job_id]);
        } catch (error) {
          failures.push(error);
        }
      }
      return failures;
    },

    async deliverEvents(events?: readonly Stripe.Event[]): Promise<void> {
      await harness.receive(events);
      const [failure] = await harness.runJobs();
      if (failure !== undefined) throw failure;
    },

    /** A second later: the fake's time has whole seconds, and a customer that was just read is skipped. */
    reconcile: () => reconcile(instance, "reconcile-test", new Date(stripe.now().getTime() + 1000)),

    async account(workspaceId: string) {
      const account = await findAccount(db, workspaceId);
      if (account === null) throw new Error(`${workspaceId} was never taken to Stripe`);
      return account;
    },

    async customer(workspaceId: string): Promise<string> {
      const { customerId } = await harness.account(workspaceId);
      if (customerId === null) throw new Error(`${workspaceId} has no customer`);
      return customerId;
    },

    async workspace(workspaceId: string) {
      const [row] = await db.orm.select().from(workspace).where(eq(workspace.workspaceId, workspaceId));
      if (row === undefined) throw new Error(`${workspaceId} is gone`);
      return row;
    },

    async me({ as, workspaceId }: Payer): Promise<Output<"billing.get">> {
      return (await setup.answerOf(instance, "billing.get", { workspaceId }, { as })).value as Output<"billing.get">;
    },

    /** The audited plan changes of the workspace, oldest first. */
    async planChanges(workspaceId: string): Promise<readonly { before: PlanState; after: PlanState }[]> {
      const rows = await db.run<{ before: PlanState; after: PlanState }>(
        `SELECT before, after FROM audit_event WHERE kind = 'plan.changed' AND workspace_id = $1 ORDER BY event_id`,
        [uuidOf("wsp", workspaceId)],
      );
      return rows.map(({ before, after }) => ({ before, after }));
    },

    /** Deletes all purchases, so that the next fake does not see customers of this one. */
    async deletePurchases(): Promise<void> {
      await db.orm.delete(billingAccount);
      await db.run("DELETE FROM stripe_event");
      await db.run("DELETE FROM outbox WHERE kind = 'stripe-event'");
    },

    async close() {
      await stripe.close();
      if (shared === undefined) await setup.close();
    },
  };
  return harness;
}

interface PlanState {
  readonly plan: PlanId;
  readonly seats: number;
}

/** The identifier of a page's session. */
export function sessionOf(url: string): string {
  const id = /\/c\/pay\/(cs_\w+)$/.exec(url)?.[1];
  if (id === undefined) throw new Error(`${url} is no page to pay on`);
  return id;
}

export const daySeconds = 86_400;
