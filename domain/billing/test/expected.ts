// Expected plan and payment state of a workspace, from Stripe's answer about its customer alone. Written apart from the
// code that it judges, and imports nothing of it.
import type Stripe from "stripe";

export interface Expected {
  readonly plan: "free" | "pro" | "team";
  readonly seats: number;
  readonly status: string;
  /** Milliseconds. */
  readonly periodEnd: number | null;
  readonly ends: boolean;
}

export interface Stocked {
  readonly pro: { readonly month: string; readonly year: string };
  readonly team: { readonly month: string; readonly year: string };
}

const rank = { free: 0, pro: 1, team: 2 };
const weekMs = 604_800_000;

/** `granted` is what it has without paying; all invoices of the customer; no subscriptions where the customer is gone. */
export function expectedOf(
  subscriptions: readonly Stripe.Subscription[],
  stocked: Stocked,
  granted: "free" | "pro" | "team",
  nowMs: number,
  invoices: readonly Stripe.Invoice[],
): Expected {
  const seen = subscriptions.map((one) => look(one, stocked, nowMs, invoices));
  let chosen: ReturnType<typeof look> | undefined;
  for (const one of seen) if (chosen === undefined || beats(one, chosen)) chosen = one;
  const bought = chosen?.isGood === true ? chosen.plan : "free";
  const plan = rank[bought] >= rank[granted] ? bought : granted;
  const paidSeats = bought === "team" ? (chosen?.quantity ?? 0) : 0;
  return {
    plan,
    seats: plan === "team" ? Math.max(10, paidSeats) : 1,
    status: chosen?.status ?? "none",
    periodEnd: chosen?.periodEnd ?? null,
    ends: chosen?.ends ?? false,
  };
}

function look(
  subscription: Stripe.Subscription,
  { pro, team }: Stocked,
  nowMs: number,
  invoices: readonly Stripe.Invoice[],
) {
  const item = subscription.items.data[0];
  if (item === undefined) throw new Error("a subscription to nothing");
  const isTeam = item.price.id === team.month || item.price.id === team.year;
  if (!isTeam && item.price.id !== pro.month && item.price.id !== pro.year) throw new Error("an unknown price");
  const invoice = subscription.latest_invoice;
  if (invoice === null || typeof invoice === "string") throw new Error("the invoice was not expanded");
  // The oldest that is owed, or the last one where nothing is.
  const owed = invoices.filter(
    ({ status, parent }) => status === "open" && parent?.subscription_details?.subscription === subscription.id,
  );
  const billedMs = Math.min(
    ...[invoice, ...owed].map((one) => (one.status_transitions.finalized_at ?? one.created) * 1000),
  );
  const { status } = subscription;
  const isOver = status === "canceled" || status === "incomplete_expired";
  return {
    plan: isTeam ? ("team" as const) : ("pro" as const),
    quantity: isTeam ? (item.quantity ?? 0) : 0,
    status: isOver ? "canceled" : status,
    isGood: status === "active" || status === "trialing" || (status === "past_due" && nowMs - billedMs < weekMs),
    isLeft: !isOver && status !== "incomplete",
    created: subscription.created,
    id: subscription.id,
    periodEnd: item.current_period_end * 1000,
    ends: !isOver && subscription.cancel_at_period_end,
  };
}

type Seen = ReturnType<typeof look>;

/** Whether one counts rather than the other: what gives, then what gives more, then what is left, then what is newer. */
function beats(one: Seen, other: Seen): boolean {
  if (one.isGood !== other.isGood) return one.isGood;
  if (one.isGood && one.plan !== other.plan) return one.plan === "team";
  if (one.isGood && one.quantity !== other.quantity) return one.quantity > other.quantity;
  if (one.isLeft !== other.isLeft) return one.isLeft;
  return one.created === other.created ? one.id > other.id : one.created > other.created;
}
