import type { CasesOf, Setting } from "../test/case.ts";
import { byKey, changed } from "../test/refusals.ts";
import { anyone, atStripe, atStripeOrOwn, byPerson, onWorkspaceOrOwn, session, type State } from "../test/rules.ts";
import type * as operations from "./billing.ts";

const there = ({ workspaceId }: Setting) => ({ workspaceId });
const thereOrOwn = (setting: Setting, state?: State) => (state === "own" ? {} : there(setting));
/** The instance sells no plans. Other tests make Stripe unavailable, also for the plans. */
const sellsNothing = { billing_unavailable: changed({}) };
const atStripeAlone = { none: "a purchase changes a plan, which is audited where it is applied" };

export const billingCases: CasesOf<typeof operations> = {
  "billing.plans": { who: byPerson(anyone), input: () => ({}), refused: {}, events: null },
  "billing.get": { who: onWorkspaceOrOwn("bill", session), input: thereOrOwn, refused: {}, events: null },
  "billing.refresh": { who: atStripe, input: there, refused: sellsNothing, events: atStripeAlone },
  "billing.invoices": {
    who: atStripeOrOwn,
    input: thereOrOwn,
    refused: { ...sellsNothing, forbidden: byKey },
    events: null,
  },
  "billing.checkout": {
    who: atStripe,
    input: (setting) => ({ ...there(setting), plan: "pro", interval: "month" }),
    refused: sellsNothing,
    events: atStripeAlone,
  },
  "billing.portal": {
    who: atStripe,
    input: there,
    refused: { ...sellsNothing, forbidden: byKey },
    events: atStripeAlone,
  },
};
