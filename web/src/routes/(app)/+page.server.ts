// The landing page speaks of this very instance: where it is, and what its plans cost.
import { ProblemError } from "@plinth/contract/client";
import { connectingClients } from "@plinth/contract/guides/connect";
import { entitlementsOf, planIds, planNames } from "@plinth/contract/plans";
import type { OfferedPlan } from "@plinth/contract/schemas/billing";
import type { Command } from "#lib/publish-commands.ts";
import { clientOf } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import type { PageServerLoad, RequestEvent } from "./$types";

export const csr = false;

/** Those that a line or a file is enough for, as tabs have room. */
const namedClients = ["claude-code", "codex", "cursor", "vscode"];

export const load: PageServerLoad = async (event) => {
  const { publicUrl, contentOrigin } = platformOf(event);
  return { publicUrl, contentOrigin, clients: clientCommands(publicUrl), ...(await offered(event)) };
};

function clientCommands(publicUrl: string): Command[] {
  return connectingClients(publicUrl)
    .filter(({ id, snippets }) => namedClients.includes(id) && snippets.length > 0)
    .map(({ name, snippets }) => ({ surface: name, code: snippets[0]?.code ?? "", output: "" }));
}

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
