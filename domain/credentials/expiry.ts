// Lifetimes of credentials (docs/reference/contract.md §5): 90 days by default, at most 365, without an end only on
// request. A share link can have any future expiry or none.
import { notATimestamp, parseTimestamp, requireEnd } from "../timestamp.ts";

const dayMs = 86_400_000;
const lifetimeDays = { default: 90, max: 365 } as const;
/** Of a credential that ends at all, in ms. */
export const longestLifetimeMs = lifetimeDays.max * dayMs;

/** The problem of a requested credential expiry; null where it is valid. */
export function expiryProblem(asked: string | null | undefined, now: Date): string | null {
  const problem = aheadProblem(asked, now);
  if (problem !== null || asked === null || asked === undefined) return problem;
  if (requireEnd(asked).getTime() > now.getTime() + longestLifetimeMs)
    return `must lie at most ${lifetimeDays.max} days ahead`;
  return null;
}

/** The problem of a requested future time without an upper bound; null where it is valid. */
export function aheadProblem(asked: string | null | undefined, now: Date): string | null {
  if (asked === null || asked === undefined) return null;
  const time = parseTimestamp(asked, "last");
  if (time === null) return notATimestamp;
  return time <= now ? "must lie ahead" : null;
}

/** When a credential made now ends. Expects an expiry without a problem. */
export function expiryOf(asked: string | null | undefined, now: Date): Date | null {
  if (asked === null) return null;
  return asked === undefined ? new Date(now.getTime() + lifetimeDays.default * dayMs) : requireEnd(asked);
}
