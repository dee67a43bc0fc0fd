// Logs server faults: never a token, a cookie or content, and of an error only the fields that identify it.
import { log } from "@plinth/platform/log";
import { logTrouble, troubleOf } from "@plinth/domain/database-trouble";
import { describeFault } from "@plinth/domain/fault";
import { isObjectTrouble } from "@plinth/domain/storage/object-trouble";
import { isRedisTrouble, redisTroubleLog } from "@plinth/domain/redis-trouble";

/**
 * Logs a server fault with its request's identifier. Trouble of the database or Redis is logged once, not for each
 * request.
 */
export function logFault(error: unknown, requestId: string): void {
  // Checked first: a connection that Redis refused looks like one that the database refused.
  if (isRedisTrouble(error)) return redisTroubleLog.failed(error);
  // It is logged where it happens, once and not for each request.
  if (isObjectTrouble(error)) return;
  const trouble = troubleOf(error);
  if (trouble !== null) return logTrouble(trouble, error, requestId);
  log.write("error", { requestId, ...describeFault(error) });
}
