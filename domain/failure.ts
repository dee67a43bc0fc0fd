// Converts errors to errors of the contract. An internal fault is returned unchanged: the surface logs it and answers
// only `internal`.
import { AppError } from "@plinth/contract/errors";
import { sqlState } from "@plinth/db/connection";

import { troubleOf, troubleText, type DatabaseTrouble } from "./database-trouble.ts";

const retrySeconds = 2;

/** The database does not do what it was asked, for a reason that passes. */
export class DatabaseUnavailable extends AppError {
  readonly trouble: DatabaseTrouble;

  constructor(trouble: DatabaseTrouble, cause?: unknown) {
    const extra = { retryAfterSeconds: retrySeconds, hint: hintOf(trouble) };
    super("unavailable", troubleText[trouble], extra, cause);
    this.trouble = trouble;
  }
}

/** Where no answer came, PostgreSQL may still do what it was sent. */
const maybeDone: ReadonlySet<DatabaseTrouble> = new Set(["unreachable", "silent", "slow"]);

const hintOf = (trouble: DatabaseTrouble): string =>
  maybeDone.has(trouble)
    ? "Send the same request again in a moment. A write may have been done all the same: with the same Idempotency-Key it is not done twice; without a key, look first"
    : "Send the same request again in a moment";

/** A refusal as it is; the database's trouble as `unavailable`; bad data as `invalid_request`. */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const trouble = troubleOf(error);
  if (trouble !== null) return new DatabaseUnavailable(trouble, error);
  if (sqlState(error)?.startsWith("22"))
    return new AppError("invalid_request", "A value is out of the range that can be stored", {}, error);
  return error;
}

/** Reads go on while there is no room, so it is told apart from a database that is away. */
export const noRoom = (cause?: unknown): AppError => new DatabaseUnavailable("full", cause);
