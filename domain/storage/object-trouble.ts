// Object storage that does not do what it is asked: `unavailable` for callers, a line in the log when it begins and ends.
import { AppError } from "@plinth/contract/errors";

const retrySeconds = 2;

/** Why a request to object storage failed: the code of the answer or of the connection. Never its text, which names keys. */
export class ObjectTrouble extends Error {
  override readonly name = "ObjectTrouble";
  readonly code: string;

  constructor(code: string) {
    super(`Object storage did not answer as it should (${code})`);
    this.code = code;
  }
}

export const storeUnavailable = (cause: unknown): AppError =>
  new AppError(
    "unavailable",
    "The storage of contents can't be reached",
    { retryAfterSeconds: retrySeconds, hint: "Send the same request again in a moment" },
    cause,
  );

/** The content was purged, or moved, between the look at its row and the look at its bytes. */
export const contentRemoved = (): AppError =>
  new AppError("unavailable", "The content was removed while it was read", {
    retryAfterSeconds: retrySeconds,
    hint: "Send the same request again",
  });

export function isObjectTrouble(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ObjectTrouble) return true;
  return false;
}
