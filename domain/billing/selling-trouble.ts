// Finds a problem with the sale of plans that an operator should fix, from known data: the module never calls Stripe.
import type { Connection } from "@plinth/db/connection";

import type { Billing } from "../services.ts";

/** Each customer is asked about hourly; one that was not for longer is a sign, in hours. */
const silenceMaxHours = 3;

/** One thing that keeps plans from being sold, or from following what is paid; null where there is none. */
export async function sellingTrouble(
  db: Pick<Connection, "run">,
  { config, prices }: Pick<Billing, "config" | "prices">,
): Promise<string | null> {
  if (config.webhookSecrets.length === 0) return "STRIPE_WEBHOOK_SECRET is not set: Stripe's events are refused";
  const [row] = await db.run<{ hours: number | null }>(
    "SELECT extract(epoch FROM now() - min(asked_at))::float8 / 3600 AS hours FROM billing_account WHERE customer_id IS NOT NULL",
  );
  const hours = row?.hours ?? 0;
  if (hours > silenceMaxHours) return `a customer was not asked about at Stripe for ${Math.floor(hours)} hours`;
  const offer = prices.known();
  if (offer === null) return null;
  if (offer.isWrong) return "a price that is configured can't be sold; the start's lines say which";
  const isSelling = Object.values(offer.prices).some((of) => of.length > 0);
  return isSelling ? null : "no price is configured: there is nothing to buy";
}
