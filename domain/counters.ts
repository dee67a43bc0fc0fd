// Counts what may be done so often in a time: for all processes in Redis where there is one, else in this process. Where
// Redis is away each process counts for itself, and no request waits for it or fails. Must not know what is counted.
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";

import { RedisTrouble, redisTroubleLog } from "./redis-trouble.ts";

export type Counter = Pick<RateLimiterMemory, "points" | "consume" | "get" | "penalty">;

export interface Counters {
  /** `points` for each key in `seconds`; processes count together under one name. */
  readonly counter: (name: string, points: number, seconds: number) => Counter;
  close(): Promise<void>;
}

/** How long Redis is waited for, in ms. */
export interface Patience {
  /** An answer that takes longer is not waited for. */
  readonly answerMs: number;
  /** A connection that says nothing for as long after being asked is given up, so that nobody else waits for it. */
  readonly silenceMs: number;
}

const usual: Patience = { answerMs: 300, silenceMs: 500 };
/** Between tries to connect, in ms: the pause grows up to this. */
const longestPauseMs = 2000;

const inMemory: Counters = {
  counter: (_name, points, duration) => new RateLimiterMemory({ points, duration }),
  close: () => Promise.resolve(),
};

/** `onError` hears of each try to connect that failed. */
export function openCounters(
  redisUrl: string | null,
  onError: (error: unknown) => void,
  patience: Patience = usual,
): Counters {
  if (redisUrl === null) return inMemory;
  const client = connect(redisUrl, patience);
  client.on("error", (cause) => onError(new RedisTrouble(cause)));
  client.on("ready", () => redisTroubleLog.answered());
  return {
    counter: (name, points, duration) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `plinth:${name}`,
        points,
        duration,
        // At once, without asking a connection that is known to be none.
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      }),
    close: async () => client.disconnect(),
  };
}

/** Nothing is kept to be sent later: what could not be counted was counted here meanwhile. */
const connect = (redisUrl: string, { answerMs, silenceMs }: Patience): Redis =>
  new Redis(redisUrl, {
    connectionName: "plinth-counters",
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerMs,
    socketTimeout: silenceMs,
    connectTimeout: 5000,
    retryStrategy: (tries) => Math.min(100 * tries, longestPauseMs),
  });
