// The queue waits for a Redis that is away for as long as that takes; whoever asks the queue does not.
import { AppError } from "@plinth/contract/errors";

import { within } from "../within.ts";

const patienceMs = 5000;
const retryAfterSeconds = 5;

/** The answer. What was asked may still be done afterwards. @throws unavailable */
export const inTime = <Answer>(asked: Promise<Answer>, atMostMs = patienceMs): Promise<Answer> =>
  within(atMostMs, asked, (): Answer => {
    throw new AppError("unavailable", "The queue of jobs can't be reached", {
      retryAfterSeconds,
      hint: `Try again in ${retryAfterSeconds} s`,
    });
  });
