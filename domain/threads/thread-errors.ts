// Errors of a task that ends without an answer. The source is at fault in both; a task that gets no place, or whose
// thread the machine ended, fails with `busy` instead.
import { AppError } from "@plinth/contract/errors";

/** The task used up its processor time and its thread was ended. */
export class ThreadTimeout extends Error {
  override name = "ThreadTimeout";
}

/** The task threw, its thread crashed under it (native stack exhausted), or it took too much memory. */
export class ThreadFailure extends Error {
  override name = "ThreadFailure";
}

/** The same after the same time, so that those who are refused together are told the same. */
const retryAfterSeconds = 5;

/** Nothing is known of the source: it has had no place, or did not keep it. */
export const busy = (detail: string, cause?: unknown): AppError =>
  new AppError(
    "busy",
    detail,
    { retryAfterSeconds, hint: `Nothing is wrong with the request. Send it again in ${retryAfterSeconds} s` },
    cause,
  );

/** Whether it was refused for our load alone. */
export const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === "busy";
