// Every situation that a plan may come from, and how a workspace gets into one: with a subscription as Stripe shows it,
// read and applied by the code that is tried.
import type { Setup } from "../../../test/context.ts";
import type Stripe from "stripe";

import { systemCause } from "../../../audit/system-cause.ts";
import { changePlan } from "../../change-plan.ts";
import { subscribedOf } from "../../subscription.ts";
import { plans, states, type Situation, type SubscriptionState } from "./expected.ts";

const dayMs = 86_400_000;
/** More than a team's plan includes. */
const quantity = 12;

/** All there are for a workspace that may buy these plans. */
export const situations = (sold: readonly ("pro" | "team")[]): Situation[] =>
  plans.flatMap((granted) => [
    { granted, bought: null },
    ...sold.flatMap((plan) => states.map((state) => ({ granted, bought: { plan, quantity, state } }))),
  ]);

export const named = ({ granted, bought }: Situation): string =>
  bought === null ? `${granted} granted` : `${granted} granted, ${bought.plan} bought: ${bought.state}`;

/** Long enough ago for the notice of what came before to be over. */
const longAgo = (): Date => new Date(Date.now() - 8 * dayMs);

export async function enter({ db }: Setup, workspaceId: string, { granted, bought }: Situation): Promise<void> {
  const at = longAgo();
  const subscriptions = bought === null ? [] : [subscription(bought, at)];
  const { gives } = subscribedOf(subscriptions, ({ id }) => (id === "pro" || id === "team" ? id : null), at);
  await db.transaction((tx) =>
    changePlan(tx, workspaceId, { planGranted: granted, bought: gives }, systemCause("matrix"), at),
  );
}

const statusOf: Readonly<Record<SubscriptionState, Stripe.Subscription.Status>> = {
  trialing: "trialing",
  active: "active",
  "past due, in grace": "past_due",
  "past due, after grace": "past_due",
  unpaid: "unpaid",
  paused: "paused",
  incomplete: "incomplete",
  canceled: "canceled",
};

/** Whose price has the plan's name. */
function subscription(
  { plan, quantity: wanted, state }: NonNullable<Situation["bought"]>,
  at: Date,
): Stripe.Subscription {
  const day = (days: number) => Math.floor(at.getTime() / 1000) + days * 86_400;
  const failed = state === "past due, after grace" ? day(-7) - 1 : day(-6);
  const made: Partial<Stripe.Subscription> = {
    id: "sub_matrix",
    created: day(-40),
    status: statusOf[state],
    cancel_at_period_end: false,
    cancel_at: null,
    latest_invoice: part<Stripe.Invoice>({
      created: failed,
      due_date: null,
      status_transitions: part<Stripe.Invoice.StatusTransitions>({ finalized_at: failed }),
    }),
    items: part<Stripe.ApiList<Stripe.SubscriptionItem>>({
      data: [
        part<Stripe.SubscriptionItem>({
          quantity: wanted,
          current_period_end: day(20),
          price: part<Stripe.Price>({ id: plan, recurring: part<Stripe.Price.Recurring>({ interval: "month" }) }),
        }),
      ],
    }),
  };
  return part<Stripe.Subscription>(made);
}

/** A partial record with only the fields that are read. */
const part = <Whole>(read: Partial<Whole>): Whole => read as Whole;
