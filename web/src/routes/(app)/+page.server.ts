// The landing page speaks of this very instance: where it is, and what its plans cost.
import { ProblemError } from "@plinth/contract/client";
import { entitlementsOf, planIds, planNames } from "@plinth/contract/plans";
import type { OfferedPlan } from "@plinth/contract/schemas/billing";
import { agentCommands } from "#lib/server/agent-commands.ts";
import { clientOf } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import type { PageServerLoad, RequestEvent } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const { publicUrl, contentOrigin } = platformOf(event);
  return { publicUrl, contentOrigin, clients: agentCommands(publicUrl), ...(await offered(event)) };
};

/** Nothing is sold where no plan has a price; where prices can't be learned the plans stand without them. */
async function offered(event: RequestEvent): Promise<{ plans: OfferedPlan[]; isSold: boolean }> {
  try {
    const { plans } = await clientOf(event).call("billing.plans", {});
    return { plans, isSold: plans.some(({ prices }) => prices.length > 0) };
  } catch (cause) {
    if (!(cause instanceof ProblemError)) throw cause;
    const plans = planIds.map((id) => ({ id, name: planNames[id], prices: [], entitlements: entitlementsOf(id) }));
    return { plans, isSold: true };
  }
}
