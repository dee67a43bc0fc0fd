// What keeps Redis from doing what it is asked, and what the log says of it: a line when that begins, one a minute while it
// lasts, and one when it is over, however many connections try again.
import { log } from "@plinth/platform/log";

import { describeFault } from "./fault.ts";

/** An error that Redis, or the way to it, is to blame for. */
export class RedisTrouble extends Error {
  override readonly name = "RedisTrouble";
  constructor(cause: unknown) {
    super("Redis can't be reached: jobs wait, and each process counts for itself until it is back", { cause });
  }
}

const lostCodes = /^(?:E[A-Z]+|UND_ERR_SOCKET)$/;
/** Of ioredis and BullMQ, which give these no code. */
const lostInWords =
  /^Connection is closed|^Socket timeout|^Command timed out|^Stream isn't writeable|^connect ETIMEDOUT/;
/** Redis' own words for a server that is there and does nothing for now. */
const refusedInWords =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|MISCONF|OOM|BUSY|NOAUTH|WRONGPASS|NOPERM|ERR max number)\b/;

/** What a client of Redis threw, as `RedisTrouble` where it is that. */
export function ofRedis<Thrown>(error: Thrown): Thrown | RedisTrouble {
  if (!(error instanceof Error) || isRedisTrouble(error)) return error;
  const { code } = error as { code?: unknown };
  const isLost = (typeof code === "string" && lostCodes.test(code)) || lostInWords.test(error.message);
  return isLost || refusedInWords.test(error.message) ? new RedisTrouble(error) : error;
}

export function isRedisTrouble(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof RedisTrouble) return true;
  return false;
}

/** Between lines of a trouble that lasts, in ms. */
const sayAgainMs = 60_000;

export interface RedisTroubleLog {
  /** An attempt failed. */
  failed(error: unknown): void;
  /** Redis has answered. */
  answered(): void;
}

/** `now` in ms. Trouble that comes and goes has no more lines than trouble that stays. */
export function createRedisTroubleLog(now = (): number => performance.now()): RedisTroubleLog {
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
      log.write("error", {
        redis: "away",
        detail: new RedisTrouble(null).message,
        ...about(),
        ...describeFault(error),
      });
    },
    answered() {
      if (since === null) return;
      if (saidAt >= since) log.write("info", { redis: "well", ...about() });
      since = null;
      failedAttempts = 0;
    },
  };
}

/** Of this process: its queue, worker and counters ask one Redis. */
export const redisTroubleLog = createRedisTroubleLog();
