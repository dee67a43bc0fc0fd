// Limits of the authorization server beside the instance's own: registrations by network address, and wrong user codes
// by person (RFC 8628, 5.1).
import { AppError } from "@plinth/contract/errors";
import { RateLimiterRes } from "rate-limiter-flexible";

import type { Config } from "../../config.ts";
import type { Counters } from "../../counters.ts";
import { addressKey } from "../../rate-limit.ts";
import type { OAuthLimits } from "../../services.ts";

const registrationsAnHour = 60;
const wrongCodes = { points: 10, seconds: 600 } as const;

/** Where writes are not limited, nothing is counted here either. */
export function createLimits({ writes }: Config["rateLimits"], { counter }: Counters): OAuthLimits {
  const registrations = counter("registrations", registrationsAnHour, 3600);
  const guesses = counter("wrong-codes", wrongCodes.points, wrongCodes.seconds);
  return {
    async registration(address) {
      if (writes === 0) return;
      const refusal = await registrations.consume(addressKey(address)).then(
        () => null,
        (state: unknown) => state,
      );
      if (refusal !== null) throw tooMany(refusal, "More registrations of clients than an hour allows");
    },
    async mayGuess(userId) {
      if (writes === 0) return;
      const state = await guesses.get(userId);
      if (state !== null && state.consumedPoints >= wrongCodes.points)
        throw tooMany(state, "More wrong codes than ten minutes allow");
    },
    async guessedWrong(userId) {
      await guesses.penalty(userId);
    },
  };
}

function tooMany(state: unknown, detail: string): AppError {
  if (!(state instanceof RateLimiterRes)) throw state;
  const retryAfterSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return new AppError("rate_limited", detail, { retryAfterSeconds, hint: `Wait ${retryAfterSeconds} s` });
}
