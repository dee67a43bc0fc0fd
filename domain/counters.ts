// Counters for rate limits: shared by all processes in Redis where there is one, else of this process. While Redis is
// unreachable each process counts for itself, and no request waits or fails. Must not know what is counted.
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";

import { RedisTrouble, redisTroubleLog } from "./redis-trouble.ts";

export type Counter = Pick<RateLimiterMemory, "points" | "consume" | "get" | "penalty">;

export interface Counters {
  /** `points` for each key in `seconds`; processes count together under one name. */
  readonly counter: (name: string, points: number, seconds: number) => Counter;
  close(): Promise<void>;
}

/** Timeouts of Redis, in ms. */
export interface Timeouts {
  /** The timeout of one answer. */
  readonly answerMs: number;
  /** A connection without any answer for this time is closed, so that later requests do not wait for it. */
  readonly silenceMs: number;
}

const usual: Timeouts = { answerMs: 300, silenceMs: 500 };
/** The longest pause between attempts to connect, in ms. */
const longestPauseMs = 2000;

const inMemory: Counters = {
  counter: (_name, points, duration) => new RateLimiterMemory({ points, duration }),
  close: () => Promise.resolve(),
};

/** `onError` is called for each failed attempt to connect. */
export function openCounters(
  redisUrl: string | null,
  onError: (error: unknown) => void,
  timeouts: Timeouts = usual,
): Counters {
  if (redisUrl === null) return inMemory;
  const client = connect(redisUrl, timeouts);
  client.on("error", (cause) => onError(new RedisTrouble(cause)));
  client.on("ready", () => redisTroubleLog.answered());
  return {
    counter: (name, points, duration) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `plinth:${name}`,
        points,
        duration,
        // Fails over at once where the connection is known to be lost.
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      }),
    close: async () => client.disconnect(),
  };
}

/** Commands are never sent later: while Redis is unreachable, the process counts in its own memory. */
const connect = (redisUrl: string, { answerMs, silenceMs }: Timeouts): Redis =>
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
