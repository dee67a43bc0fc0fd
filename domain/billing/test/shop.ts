// A world that sells plans at a double of Stripe: what people do here, what they do there, and what is heard of it.
import { uuidOf } from "@plinth/db/columns";
import { billingAccount } from "@plinth/db/schema/billing";
import { workspace } from "@plinth/db/schema/accounts";
import type { BillingInterval, PaidPlanId, PlanId } from "@plinth/contract/plans";
import type { Output } from "@plinth/contract/registry";
import { startStripe, type DoubleOptions } from "@plinth/support/stripe/stripe-fake";
import { eq } from "drizzle-orm";
import type Stripe from "stripe";

import type { Instance } from "../../context.ts";
import type { Billing } from "../../services.ts";
import { createWorld, type Caller, type TestPerson, type World } from "../../test/context.ts";
import { findAccount } from "../account.ts";
import { billingAt } from "../billing.ts";
import { applyEvent, receiveEvent } from "../events.ts";
import { reconcile } from "../reconcile.ts";
import type { Patience } from "../stripe.ts";

/** What fails counts, as nothing is asked a second time; what is slow on a busy machine does not fail. */
export const unhurried: Patience = { timeoutMs: 60_000, retries: 0 };
/** For what never answers. */
export const hurried: Patience = { timeoutMs: 1500, retries: 0 };

export interface Buyer extends TestPerson {
  readonly as: Caller;
}

/** Who pays for which workspace. */
type Pays = Pick<Buyer, "as" | "workspaceId">;

interface Terms {
  readonly interval?: BillingInterval;
  readonly quantity?: number;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

interface ShopOptions extends DoubleOptions {
  readonly patience?: Patience;
}

/** Over a world of its own, or over one that others use as well. Closing it leaves such a world open. */
export async function openShop({ patience, ...options }: ShopOptions = {}, shared?: World) {
  const stripe = await startStripe(options);
  stripe.events.hold();
  const world = shared ?? (await createWorld());
  const config = { ...world.instance.config, billing: stripe.config, defaultPlan: "free" as const };
  const billing = billingAt(stripe.config, patience);
  const instance: Instance & { billing: Billing } = { ...world.instance, config, billing };
  const { db } = instance;

  const shop = {
    stripe,
    world,
    instance,
    billing,

    /** From now on as patient with Stripe as is said, else as it was opened. Prices that were read stay known. */
    waits(other?: Patience): void {
      const { prices } = billing;
      if (other === undefined) instance.billing = billing;
      else instance.billing = { ...billingAt(stripe.config, other), ...(prices.known() !== null && { prices }) };
    },

    async buyer(plan: PlanId = "free"): Promise<Buyer> {
      const person = await world.person({ plan });
      return { ...person, as: await world.session(person.userId) };
    },

    checkout: ({ as, workspaceId }: Pays, plan: PaidPlanId, interval: BillingInterval = "month"): Promise<string> =>
      shop.urlOf("billing.checkout", { workspaceId, plan, interval }, as),

    portal: ({ as, workspaceId }: Pays): Promise<string> => shop.urlOf("billing.portal", { workspaceId }, as),

    async urlOf(name: "billing.checkout" | "billing.portal", input: object, as: Caller): Promise<string> {
      const { value } = await world.answerOf(instance, name, input, { as });
      return (value as { url: string }).url;
    },

    /** Goes to checkout and pays. Nothing is heard of it yet. */
    async pays(
      buyer: Pays,
      plan: PaidPlanId,
      { interval = "month", quantity }: Terms = {},
    ): Promise<Stripe.Subscription> {
      const url = await shop.checkout(buyer, plan, interval);
      return stripe.people.pay(sessionOf(url), quantity);
    },

    /** The same, and all that Stripe says of it is heard. */
    async buys(buyer: Pays, plan: PaidPlanId, terms: Terms = {}): Promise<Stripe.Subscription> {
      const subscription = await shop.pays(buyer, plan, terms);
      await shop.hears();
      return subscription;
    },

    /** Takes events as the webhook does; all that wait unless told which. */
    async takes(events: readonly Stripe.Event[] = stripe.events.take()): Promise<void> {
      for (const event of events) {
        const { body, signature } = await stripe.events.sign(event);
        await receiveEvent(instance, body, signature);
      }
    },

    /** Does the jobs that wait, at the double's time; a job that fails waits on. Answers the failures. */
    async works(): Promise<unknown[]> {
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

    async hears(events?: readonly Stripe.Event[]): Promise<void> {
      await shop.takes(events);
      const [failure] = await shop.works();
      if (failure !== undefined) throw failure;
    },

    /** A second later: the double's time is in whole ones, and who was asked about just now is not again. */
    reconciles: () => reconcile(instance, "reconcile-test", new Date(stripe.now().getTime() + 1000)),

    async account(workspaceId: string) {
      const account = await findAccount(db, workspaceId);
      if (account === null) throw new Error(`${workspaceId} was never taken to Stripe`);
      return account;
    },

    async customer(workspaceId: string): Promise<string> {
      const { customerId } = await shop.account(workspaceId);
      if (customerId === null) throw new Error(`${workspaceId} has no customer`);
      return customerId;
    },

    async workspace(workspaceId: string) {
      const [row] = await db.orm.select().from(workspace).where(eq(workspace.workspaceId, workspaceId));
      if (row === undefined) throw new Error(`${workspaceId} is gone`);
      return row;
    },

    async me({ as, workspaceId }: Pays): Promise<Output<"billing.get">> {
      return (await world.answerOf(instance, "billing.get", { workspaceId }, { as })).value as Output<"billing.get">;
    },

    /** What was audited of plans of the workspace, oldest first: from which to which. */
    async planChanges(workspaceId: string): Promise<readonly { before: Had; after: Had }[]> {
      const rows = await db.run<{ before: Had; after: Had }>(
        `SELECT before, after FROM audit_event WHERE kind = 'plan.changed' AND workspace_id = $1 ORDER BY event_id`,
        [uuidOf("wsp", workspaceId)],
      );
      return rows.map(({ before, after }) => ({ before, after }));
    },

    /** Forgets all that was bought, so that the next double finds nobody of this one's. */
    async forget(): Promise<void> {
      await db.orm.delete(billingAccount);
      await db.run("DELETE FROM stripe_event");
      await db.run("DELETE FROM outbox WHERE kind = 'stripe-event'");
    },

    async close() {
      await stripe.close();
      if (shared === undefined) await world.close();
    },
  };
  return shop;
}

interface Had {
  readonly plan: PlanId;
  readonly seats: number;
}

/** The session whose page it is. */
export function sessionOf(url: string): string {
  const id = /\/c\/pay\/(cs_\w+)$/.exec(url)?.[1];
  if (id === undefined) throw new Error(`${url} is no page to pay on`);
  return id;
}

export const daySeconds = 86_400;
