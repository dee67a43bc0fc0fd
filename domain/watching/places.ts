// How many may watch at once: so many of one caller, and so many in a process.
import { AppError } from "@plinth/contract/errors";

import { createTally } from "../tally.ts";

export interface Bounds {
  readonly ofOneCaller: number;
  readonly ofProcess: number;
}

const retryAfterSeconds = 10;

export interface Places {
  /** Takes a place. @throws rate_limited, unavailable */
  take(caller: string): void;
  leave(caller: string): void;
  /** By all callers. */
  taken(): number;
}

export function createPlaces({ ofOneCaller, ofProcess }: Bounds): Places {
  const tally = createTally();
  return {
    take(caller) {
      if (tally.taken(caller) >= ofOneCaller) {
        throw new AppError("rate_limited", `More than ${ofOneCaller} event streams at once`, {
          retryAfterSeconds,
          hint: "Close one that is not needed any more",
        });
      }
      if (tally.total >= ofProcess) throw notNow("As many event streams are open as this process holds");
      tally.take(caller);
    },
    leave: (caller) => tally.leave(caller),
    taken: () => tally.total,
  };
}

/** @see Places.take */
export const notNow = (detail: string): AppError =>
  new AppError("unavailable", detail, { retryAfterSeconds, hint: `Try again in ${retryAfterSeconds} s` });
