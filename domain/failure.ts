// What went wrong, in the contract's terms. A fault of ours stays what it is: the surface logs it and says only
// `internal`.
import { AppError } from "@plinth/contract/errors";
import { sqlState } from "@plinth/db/connection";

const retrySeconds = 2;

/** Classes and states of PostgreSQL that pass: connection, resources, timeout, shutdown, conflicts of transactions. */
const passing = /^(?:08|53|57014|57P0[1-5]|40001|40P01|55P03|58|25006)/;

const diskFull = "53100";

/** A refusal as it is; the database being away or full as `unavailable`; bad data as `invalid_request`. */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const state = sqlState(error);
  if (state === diskFull) return noRoom(error);
  if (state !== null && passing.test(state)) return unavailable(error);
  if (state?.startsWith("22")) {
    return new AppError("invalid_request", "A value is out of the range that can be stored", {}, error);
  }
  return state === null && isLostConnection(error) ? unavailable(error) : error;
}

/** Reads go on meanwhile, so it is told apart from a database that is away. */
export const noRoom = (cause?: unknown): AppError =>
  unavailable(cause, "The database's disk is full: nothing more can be written for now");

function unavailable(cause: unknown, detail = "The database can't be reached"): AppError {
  const extra = { retryAfterSeconds: retrySeconds, hint: "Send the same request again in a moment" };
  return new AppError("unavailable", detail, extra, cause);
}

/** The queue's driver gives these no code. */
const lostInWords = /^Connection terminated|^Client has encountered a connection error/;

function isLostConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (lostInWords.test(cause.message)) return true;
    if (typeof code === "string" && /^ERR_POSTGRES_(?:CONNECTION|IDLE|LIFETIME|TIMEOUT)|^ECONN|^ENOENT$/.test(code))
      return true;
  }
  return false;
}
