// Recognizes failures of Redis, and logs them.
import { createTroubleLog, type TroubleLog } from "./trouble-log.ts";

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

/** `now` in ms. */
export const createRedisTroubleLog = (now?: () => number): TroubleLog =>
  createTroubleLog("redis", new RedisTrouble(null).message, now);

/** Of this process: its queue, worker and counters ask one Redis. */
export const redisTroubleLog = createRedisTroubleLog();
