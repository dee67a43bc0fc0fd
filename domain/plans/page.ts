// The page of this instance on which plans are, and which Stripe sends people back to.
import type { Config } from "../config.ts";

/**
 * The caller's personal workspace where none is named. `from` says where they come back from, so that the page reads
 * Stripe again.
 */
export function billingPage(
  { publicUrl }: Pick<Config, "publicUrl">,
  slug: string | null,
  from?: "checkout" | "portal",
): string {
  const query = new URLSearchParams({ ...(slug !== null && { workspace: slug }), ...(from !== undefined && { from }) });
  return `${publicUrl}/settings/billing${query.size === 0 ? "" : `?${query}`}`;
}
