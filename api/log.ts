// Faults of ours, written down: never a token, a cookie or content; of an error only what names it.
import { log } from "@plinth/contract/log";
import { logTrouble, troubleOf } from "@plinth/domain/database-trouble";
import { describeFault } from "@plinth/domain/fault";
import { isRedisTrouble, redisTroubleLog } from "@plinth/domain/redis-trouble";

/** Writes down a fault of ours, to be found by its request's identifier; trouble of the database or Redis once, not for each. */
export function logFault(error: unknown, requestId: string): void {
  // First: a connection that Redis refused looks like one that the database refused.
  if (isRedisTrouble(error)) return redisTroubleLog.failed(error);
  const trouble = troubleOf(error);
  if (trouble !== null) return logTrouble(trouble, error, requestId);
  log.write("error", { requestId, ...describeFault(error) });
}
