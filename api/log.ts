// Faults of ours, written down: never a token, a cookie or content; of an error only what names it.
import { log } from "@plinth/contract/log";
import { logTrouble, troubleOf } from "@plinth/domain/database-trouble";
import { describeFault } from "@plinth/domain/fault";

/** Writes down a fault of ours, to be found by its request's identifier; the database's trouble once, not for each. */
export function logFault(error: unknown, requestId: string): void {
  const trouble = troubleOf(error);
  if (trouble !== null) return logTrouble(trouble, error, requestId);
  log.write("error", { requestId, ...describeFault(error) });
}
