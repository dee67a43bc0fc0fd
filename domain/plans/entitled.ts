// Requires that a plan has a feature (docs/reference/contract.md §3, "Plan"). Checked when a resource becomes private
// or a team is created, after the caller's permission (docs/reference/contract.md §2); never for existing resources,
// because no change of a plan publishes, deletes or hides anything (docs/decisions/billing.md, "Downgrades take nothing
// away").
import { AppError } from "@plinth/contract/errors";
import { entitlementsOf, planNames, planWith, type PlanFeature, type PlanId } from "@plinth/contract/plans";

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

const lacking: Readonly<Record<PlanFeature, string>> = {
  privateArtifacts: "Private artifacts need",
  teamWorkspaces: "Team workspaces need",
};

/** The workspace that something is made in; its slug is null where that is the caller's own, its plan where there is none. */
interface Place {
  readonly plan: PlanId | null;
  readonly ownerUsername: string | null;
}

/** @throws plan_required */
export function requireEntitlement(
  { config }: { readonly config: Pick<Config, "publicUrl"> },
  feature: PlanFeature,
  { plan, ownerUsername }: Place,
  hint: string,
): void {
  if (plan !== null && entitlementsOf(plan)[feature]) return;
  const requiredPlan = planWith(feature);
  throw new AppError("plan_required", `${lacking[feature]} the ${planNames[requiredPlan]} plan`, {
    entitlement: feature,
    requiredPlan,
    upgradeUrl: billingPage(config, ownerUsername),
    hint,
  });
}
