// Private artifacts are something a plan has or has not (specification, "Limits").
import { entitlements, planWith } from "@plinth/contract/plans";

import { planRequired } from "../access/refusals.ts";
import type { ArtifactRow } from "../access/resource.ts";
import type { Context } from "../context.ts";

/**
 * Expects to be asked where something becomes private. What is private already may stay so on any plan, for no change of
 * a plan publishes anything (contract 6). @throws plan_required
 */
export function requirePrivateArtifacts(
  { config }: Context,
  { plan, ownerUsername }: Pick<ArtifactRow, "plan" | "ownerUsername">,
  hint: string,
): void {
  if (entitlements[plan].privateArtifacts) return;
  const detail = `Private artifacts need the ${planWith("privateArtifacts")} plan`;
  throw planRequired(config, ownerUsername, "privateArtifacts", detail, hint);
}
