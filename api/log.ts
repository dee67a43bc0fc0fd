// Faults of ours, written down: never a token, a cookie or content; of an error only what names it.
import { log } from "@plinth/contract/log";
import { describeFault } from "@plinth/domain/fault";

/** Writes down a fault of ours, to be found by its request's identifier. */
export function logFault(error: unknown, requestId: string): void {
  log.write("error", { requestId, ...describeFault(error) });
}
