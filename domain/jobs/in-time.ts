// The queue waits for a Redis that is away for as long as that takes; whoever asks the queue does not.
import { AppError } from "@plinth/contract/errors";

const patienceMs = 5000;
const retryAfterSeconds = 5;

/** The answer. What was asked may still be done afterwards. @throws unavailable */
export async function inTime<Answer>(asked: Promise<Answer>, atMostMs = patienceMs): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(
        new AppError("unavailable", "The queue of jobs can't be reached", {
          retryAfterSeconds,
          hint: `Try again in ${retryAfterSeconds} s`,
        }),
      ),
    atMostMs,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
