// Recognizes failures of the database, with texts for callers, health and the log. The log has a line when a failure
// begins or ends, not one for each request.
import { log } from "@plinth/platform/log";
import { sqlState } from "@plinth/db/connection";
import { DatabaseSilent, DatabaseTimeout } from "@plinth/db/guarded-pool";

import { describeFault } from "./fault.ts";

export type DatabaseTrouble = "unreachable" | "silent" | "slow" | "busy" | "read-only" | "full" | "forbidden";

/** The text for callers and for health. */
export const troubleText: Readonly<Record<DatabaseTrouble, string>> = {
  unreachable: "The database can't be reached",
  silent: "The database does not answer",
  slow: "The database took too long",
  busy: "The database is busy: another write holds what this one needs",
  "read-only": "The database is read-only: nothing can be written for now",
  full: "The database's disk is full: nothing more can be written for now",
  forbidden: "The database refused access: permission denied",
};

/** What an error says of the database; null where it is about something else. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseSilent) return "silent";
    if (cause instanceof DatabaseTimeout) return "slow";
  }
  const state = sqlState(error);
  if (state === null) return isLostConnection(error) ? "unreachable" : null;
  return states.find(([pattern]) => pattern.test(state))?.[1] ?? null;
}

/** Classes and states of PostgreSQL that pass; 54 and others of a statement's own are faults of ours. */
const states: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  [/^53100$/, "full"],
  [/^25006$/, "read-only"],
  [/^57014$/, "slow"],
  [/^(?:55P03|40001|40P01)$/, "busy"],
  [/^42501$/, "forbidden"],
  // Connection, resources, shutdown, a session ended by a timeout, input and output.
  [/^(?:08|53|57P0[1-5]|25P0[34]|58)/, "unreachable"],
];

/** The queue's driver gives these no code. */
const lostInWords = /^Connection terminated|^Client has encountered a connection error/;

function isLostConnection(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (lostInWords.test(cause.message)) return true;
    if (
      typeof code === "string" &&
      /^ERR_POSTGRES_(?:CONNECTION|IDLE|LIFETIME|TIMEOUT|QUERY_CANCELLED)|^ECONN|^ENOENT$/.test(code)
    )
      return true;
  }
  return false;
}

/** A trouble that was not seen for so long begins again, where nothing says that it is over, in ms. */
const sameTroubleMs = 60_000;

/** When each trouble that has a line was seen last. */
const logged = new Map<DatabaseTrouble, number>();

/** Writes the trouble to the log where it begins. */
export function logTrouble(trouble: DatabaseTrouble, error: unknown, requestId: string): void {
  const now = performance.now();
  const isSame = now - (logged.get(trouble) ?? -Infinity) < sameTroubleMs;
  logged.set(trouble, now);
  if (isSame) return;
  log.write("error", { requestId, database: trouble, detail: troubleText[trouble], ...describeFault(error) });
}

/** Writes to the log that trouble is over, where some was written. */
export function logRecovery(): void {
  if (logged.size === 0) return;
  log.write("info", { database: "well", after: [...logged.keys()].join(", ") });
  logged.clear();
}
