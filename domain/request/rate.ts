// Stage 2, the rate: a request is counted once its caller is known, and before anything is said about its input.
import type { Operation } from "@plinth/contract/operation";

import { isPerson, principalKey, type Caller } from "../access/principal.ts";
import type { Instance } from "../context.ts";
import { rateRefusal, type Budget } from "../rate-limit.ts";
import type { Refused, Sender } from "./outcome.ts";

/** The budget of an operation's calls. */
export const budgetOf = ({ effect, takes, media }: Operation): Budget =>
  takes === "file" || media === "file" ? "files" : effect === "read" ? "reads" : "writes";

/** The sender as it was counted, with the refusal where that is too much. */
export async function countRequest(
  { limiter, usage }: Pick<Instance, "limiter" | "usage">,
  op: Operation,
  caller: Caller,
): Promise<Sender | Refused> {
  const allowance = await limiter.take(budgetOf(op), principalKey(caller));
  const exceeded = allowance === null ? null : rateRefusal(allowance);
  if (exceeded !== null) return { caller, allowance, error: exceeded };
  if (isPerson(caller)) usage.record(caller.credentialId);
  return { caller, allowance };
}
