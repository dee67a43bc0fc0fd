// What it takes to sell plans (docs/reference/contract.md §1). Read from the environment by whoever composes the
// processes.
import type { BillingInterval, PaidPlanId } from "@plinth/contract/plans";

export interface BillingConfig {
  readonly secretKey: string;
  /** Any of them signs events, so that one can be replaced by another. */
  readonly webhookSecrets: readonly string[];
  /** Stripe's identifiers; what has none is not sold. */
  readonly prices: Readonly<Record<PaidPlanId, Readonly<Partial<Record<BillingInterval, string>>>>>;
  /** Where Stripe is, for a double of it; null for Stripe itself. */
  readonly apiBase: string | null;
}
