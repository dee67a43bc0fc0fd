// Guards of the operations that call Stripe: billing must be configured, and few calls run at once.
import type { Context } from "../context.ts";
import type { Billing } from "../services.ts";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import { asked, notConfigured } from "./stripe.ts";

/**
 * Work in progress holds a pool connection while it waits for Stripe; the limit leaves the others to other requests.
 */
const turns = createKeyedSemaphore({ atOnce: 4, ofOneCaller: 1 });

/** @throws billing_unavailable */
export function requireBilling({ billing }: Pick<Context, "billing">): Billing {
  if (billing === null) throw notConfigured();
  return billing;
}

/** Does what holds a workspace's account while Stripe is asked, when there is a turn. @throws billing_unavailable */
export const inTurn = <Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> =>
  turns(workspaceId, () => asked(work));
