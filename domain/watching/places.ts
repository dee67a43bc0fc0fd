// How many may watch at once: so many of one caller, and so many in a process.
import { AppError } from "@plinth/contract/errors";

export interface Bounds {
  readonly ofOneCaller: number;
  readonly ofProcess: number;
}

const retryAfterSeconds = 10;

export interface Places {
  /** Takes a place. @throws rate_limited, unavailable */
  take(caller: string): void;
  leave(caller: string): void;
}

export function createPlaces({ ofOneCaller, ofProcess }: Bounds): Places {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take(caller) {
      const own = taken.get(caller) ?? 0;
      if (own >= ofOneCaller) {
        throw new AppError("rate_limited", `More than ${ofOneCaller} event streams at once`, {
          retryAfterSeconds,
          hint: "Close one that is not needed any more",
        });
      }
      if (total >= ofProcess) throw notNow("As many event streams are open as this process holds");
      taken.set(caller, own + 1);
      total++;
    },
    leave(caller) {
      const own = taken.get(caller) ?? 0;
      if (own > 1) taken.set(caller, own - 1);
      else taken.delete(caller);
      total--;
    },
  };
}

/** @see Places.take */
export const notNow = (detail: string): AppError =>
  new AppError("unavailable", detail, { retryAfterSeconds, hint: `Try again in ${retryAfterSeconds} s` });
