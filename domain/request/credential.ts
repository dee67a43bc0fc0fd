// Stage 1, the credential: refused without a look-up where that can be said of it alone, and judged again as it is loaded.
import type { Operation } from "@plinth/contract/operation";

import { authenticate, credentialRefusal } from "../access/authenticate.ts";
import type { Call } from "../access/call.ts";
import type { Presented } from "../access/credential-gate.ts";
import { grantIn, type Loaded } from "../access/load.ts";
import type { Caller } from "../access/principal.ts";
import type { Instance } from "../context.ts";
import { unknownSender, type Refused, type Sender } from "./outcome.ts";

/** Refuses a credential without a look-up, and counts the refusal; null where the credential may be looked up. */
export async function refuseCredential(instance: Instance, call: Presented, op: Operation): Promise<Refused | null> {
  const { config, credentialGate } = instance;
  const tooMany = credentialGate.rateRefusal(op, call);
  if (tooMany !== null) return { ...unknownSender, error: tooMany };
  const refusal = credentialRefusal(config, op, call);
  return refusal === null ? null : { caller: null, ...(await credentialGate.refused(call, refusal, false)) };
}

/** The caller of a credential that was loaded, or its refusal, which is counted. */
export function callerOf(
  { credentialGate }: Pick<Instance, "credentialGate">,
  call: Call,
  op: Operation,
  loaded: Loaded,
  counted: Sender,
): Caller | Promise<Refused> {
  let caller: Caller;
  try {
    caller = authenticate(op, call, loaded);
  } catch (error) {
    return credentialGate.refused(call, error, loaded.standing !== "unknown").then((refused) => ({
      caller: counted.caller,
      error: refused.error,
      allowance: refused.allowance ?? counted.allowance,
    }));
  }
  const isByLink = call.credential.kind === "none" && grantIn(loaded) !== null;
  if (caller.type !== "anonymous" || isByLink) credentialGate.accepted(call);
  return caller;
}
