// Reads for a caller in the same process: the result of a GET in REST, without serializing request or response.
// `invoke` does every check, as for every surface.
import type { Read } from "@plinth/contract/client";
import { registry, type Input, type OperationName, type Output } from "@plinth/contract/registry";
import { requestIdOf } from "@plinth/platform/request-id";
import { invoke } from "@plinth/domain/request/invoke";
import { answerOf } from "@plinth/domain/request/outcome";

import type { ApiOptions } from "./app.ts";
import { withNextStep } from "./next-step.ts";
import { problemOf } from "./problem.ts";
import { clientAddress, shownPrincipal } from "./request-meta.ts";
import { presentedBy, surfaceOf, viewOf } from "./rest.ts";

/** `peer` identifies the callers, in place of the IP address of a connection. */
export function createReads({ instance, trustedProxies }: Omit<ApiOptions, "runtime">, peer: string): Read {
  return async <Name extends OperationName>(name: Name, input: Input<Name>, headers: Headers) => {
    const requestId = requestIdOf(headers);
    let principal: string | null = null;
    try {
      const presented = presentedBy(instance.config, { headers });
      const call = {
        ...presented,
        surface: surfaceOf(presented, { headers }),
        requestId,
        ...viewOf({ headers }),
        address: clientAddress({ headers }, peer, trustedProxies),
      };
      const given = Object.entries(input).filter(([, value]) => value !== undefined);
      const outcome = await invoke(instance, call, name, { input: Object.fromEntries(given), errors: [] });
      if (outcome.caller !== null) principal = shownPrincipal(outcome.caller);
      return { value: answerOf(outcome).value as Output<Name>, principal };
    } catch (error) {
      const refusal = withNextStep(registry[name], error);
      const { problem, retryAfterSeconds } = problemOf(refusal, requestId, instance.config.publicUrl);
      return { problem, retryAfterSeconds, principal };
    }
  };
}
