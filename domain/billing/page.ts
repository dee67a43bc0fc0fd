// The page of this instance that Stripe sends people back to.
import type { Config } from "../config.ts";

/** `from` says what they come back from, so that the page asks Stripe anew. */
export function billingPage(
  { publicUrl }: Pick<Config, "publicUrl">,
  slug: string,
  from?: "checkout" | "portal",
): string {
  const back = from === undefined ? "" : `&from=${from}`;
  return `${publicUrl}/settings/billing?workspace=${slug}${back}`;
}
