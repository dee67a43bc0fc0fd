// Logs the outage of a service: a line when it begins, one a minute while it lasts, and one when it ends, however many
// attempts fail.
import { log } from "@plinth/platform/log";

import { describeFault } from "./fault.ts";

/** Between lines of a trouble that lasts, in ms. */
const sayAgainMs = 60_000;

export interface TroubleLog {
  /** An attempt failed. */
  failed(error: unknown): void;
  /** The service has answered. */
  answered(): void;
}

/** `service` names the field of the lines; `now` is in ms. Trouble that comes and goes has no more lines than trouble that stays. */
export function createTroubleLog(service: string, detail: string, now = (): number => performance.now()): TroubleLog {
  let since: number | null = null;
  let failedAttempts = 0;
  let saidAt = -Infinity;
  const about = () => ({ failedAttempts, awaySeconds: Math.round((now() - (since ?? now())) / 1000) });
  return {
    failed(error) {
      since ??= now();
      failedAttempts++;
      if (now() - saidAt < sayAgainMs) return;
      saidAt = now();
      log.write("error", { [service]: "away", detail, ...about(), ...describeFault(error) });
    },
    answered() {
      if (since === null) return;
      if (saidAt >= since) log.write("info", { [service]: "well", ...about() });
      since = null;
      failedAttempts = 0;
    },
  };
}
