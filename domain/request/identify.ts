// Stages 1 to 3 as far as they look something up: the caller and the resource are loaded in one statement, then the
// credential is judged and the request is counted. A surface does it by itself before it reads a large body.
import type { Operation } from "@plinth/contract/operation";

import { loadFor } from "../access/authorize.ts";
import type { Call } from "../access/call.ts";
import type { Instance } from "../context.ts";
import { callerOf } from "./credential.ts";
import { type Identified, type Refused, type Sender, unknownSender } from "./outcome.ts";
import { type Caller, isPerson, principalKey } from "../access/principal.ts";
import { type Budget, rateRefusal } from "../rate-limit.ts";

/** The budget of an operation's calls. */
export const budgetOf = ({ effect, takes, media }: Operation): Budget =>
  takes === "file" || media === "file" ? "files" : effect === "read" ? "reads" : "writes";

/** The sender as it was counted, with the refusal where that is too much. */
async function countRequest(
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

/**
 * Loads the caller and the resource, and counts the request, except for a sender that was counted before. Expects
 * that `refuseCredential` found nothing; the input is null where it can't be read.
 */
export async function identify(
  instance: Instance,
  call: Call,
  op: Operation,
  input: Record<string, unknown> | null,
  counted: Sender = unknownSender,
): Promise<Identified | Refused> {
  const ended = instance.credentialGate.endedRefusal(op, call);
  if (ended !== null) return { ...counted, error: ended };
  const askedAt = performance.now();
  const loaded = await loadFor(instance.load, op, call, input);
  const caller = callerOf(instance, call, op, loaded, counted);
  if (caller instanceof Promise) return caller;
  if (counted.caller !== null) return { caller, loaded, askedAt, allowance: counted.allowance };
  const sender = await countRequest(instance, op, caller);
  return "error" in sender ? sender : { caller, loaded, askedAt, allowance: sender.allowance };
}
