// The queue waits for an unavailable Redis without a limit; its callers do not.
import { AppError } from "@plinth/contract/errors";

import { ofRedis, redisTroubleLog, RedisTrouble } from "../redis-trouble.ts";
import { awakeTimeout } from "@plinth/platform/awake-timeout";
import { withTimeout } from "@plinth/platform/with-timeout";

const timeoutMs = 5000;
const retryAfterSeconds = 5;

/** The result. After a timeout the request may still be carried out. @throws unavailable */
export const inTime: InTime = async (asked, atMostMs = timeoutMs) => {
  const over = Promise.withResolvers<never>();
  // The relay's first request is under way while the process is still loading its modules.
  const timeout = awakeTimeout(atMostMs, () => over.reject(unavailable()));
  try {
    return await Promise.race([asked, over.promise]);
  } finally {
    timeout.clear();
  }
};

export type InTime = <Answer>(asked: Promise<Answer>, atMostMs?: number) => Promise<Answer>;

/** The same of a queue on Redis: each answer tells the log that Redis is there, and late ones are Redis' trouble. */
export const inTimeOfRedis: InTime = async (asked, atMostMs = timeoutMs) => {
  const late = () => new RedisTrouble(new Error(`Redis did not answer in ${atMostMs} ms`));
  const answer = await withTimeout(atMostMs, asked.catch(throwOfRedis), () => {
    throw unavailable(late());
  });
  redisTroubleLog.answered();
  return answer;
};

function throwOfRedis(error: unknown): never {
  throw ofRedis(error);
}

const unavailable = (cause?: unknown) =>
  new AppError(
    "unavailable",
    "The queue of jobs can't be reached",
    { retryAfterSeconds, hint: `Try again in ${retryAfterSeconds} s` },
    cause,
  );
