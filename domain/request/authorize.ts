// Stages 4 to 6, scope, visibility and permission: the decision is access/authorize.ts, and what a handler gets beside its
// input is made of it.
import { authorize, type Authorized } from "../access/authorize.ts";
import type { Context } from "../context.ts";
import type { Asked } from "./asked.ts";
import type { Identified } from "./outcome.ts";

/** @throws what authorize does */
export const decide = ({ op }: Asked, { caller, loaded }: Identified): Authorized => authorize(op, caller, loaded);

export const contextOf = (
  { instance, call, op, sent: { input } }: Asked,
  { loaded, askedAt }: Identified,
  { principal }: Authorized,
): Context => ({
  ...instance,
  principal,
  grants: loaded.grants,
  call,
  plan: loaded.personalPlan,
  decided: { op, input, at: askedAt },
});
