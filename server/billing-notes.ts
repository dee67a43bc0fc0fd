// The start's messages about billing: those about the environment at once, and those about the prices when Stripe
// answers. Nothing waits for Stripe.
import type { Billing } from "@plinth/domain/services";
import { whyNoAnswer } from "@plinth/domain/billing/stripe";
import type { Config } from "@plinth/domain/config";
import { withTimeout } from "@plinth/platform/with-timeout";

import { isLoopback } from "./identity-environment.ts";
import type { Start } from "./run.ts";

/** The time limit for Stripe, in ms. */
const timeoutMs = 20_000;

/** Whether plans are sold, and warnings; empty where none are sold. */
export function sellingNotes({ billing, publicUrl }: Pick<Config, "billing" | "publicUrl">): string[] {
  if (billing === null) return [];
  const { secretKey, webhookSecrets, apiBase } = billing;
  const isTest = secretKey.includes("_test_");
  const { protocol, hostname } = new URL(publicUrl);
  const notes = [`Plans are sold through Stripe (${isTest ? "test mode" : "live mode"}), webhook /api/billing/webhook`];
  if (apiBase !== null)
    notes.push(`Warning: STRIPE_API_BASE is set: what is for Stripe, its key too, goes to ${apiBase}.`);
  if (isTest && protocol === "https:" && !isLoopback(hostname))
    notes.push("Warning: STRIPE_SECRET_KEY is of test mode: anyone with one of Stripe's test cards gets a plan.");
  if (!isTest && isLoopback(hostname))
    notes.push("Warning: STRIPE_SECRET_KEY is of live mode: cards are charged by an instance that Stripe can't reach.");
  if (webhookSecrets.length === 0)
    notes.push(
      "Warning: STRIPE_WEBHOOK_SECRET is not set: Stripe's events are refused, and what changes there is heard of hourly.",
    );
  return notes;
}

/** Reports faults of the prices once Stripe answers, or that Stripe does not answer. */
export async function sayPrices(
  billing: Pick<Billing, "prices"> | null,
  { say, fault }: Pick<Start, "say" | "fault">,
  waitMs = timeoutMs,
): Promise<void> {
  if (billing === null) return;
  try {
    const lines = billing.prices.offer().then(({ problems }) => problems, noAnswer);
    for (const line of await withTimeout(waitMs, lines, () => ["Stripe has not answered yet"]))
      say(`Warning: ${line}.`);
  } catch (error) {
    fault(error);
  }
}

const noAnswer = (error: unknown): string[] => [`${whyNoAnswer(error)}; until it answers nothing can be bought`];
