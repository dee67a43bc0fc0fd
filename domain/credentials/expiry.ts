// How long a credential lives (docs/reference/contract.md §5): 90 days unless asked otherwise, at most 365, for ever
// only on request. A share link may live for ever, or until whatever time is ahead.
import { notATime, readTime } from "../given-time.ts";

const dayMs = 86_400_000;
const lifetimeDays = { default: 90, max: 365 } as const;
/** Of a credential that ends at all, in ms. */
export const longestLifetimeMs = lifetimeDays.max * dayMs;

/** What is wrong with a credential's expiry as it was given; null where nothing is. */
export function expiryProblem(asked: string | null | undefined, now: Date): string | null {
  const problem = aheadProblem(asked, now);
  if (problem !== null || asked === null || asked === undefined) return problem;
  if (Date.parse(asked) > now.getTime() + longestLifetimeMs) return `must lie at most ${lifetimeDays.max} days ahead`;
  return null;
}

/** What is wrong with a time that is to come, however far; null where nothing is. */
export function aheadProblem(asked: string | null | undefined, now: Date): string | null {
  if (asked === null || asked === undefined) return null;
  const time = readTime(asked);
  if (time === null) return notATime;
  return time <= now ? "must lie ahead" : null;
}

/** When a credential made now ends. Expects an expiry without a problem. */
export function expiryOf(asked: string | null | undefined, now: Date): Date | null {
  if (asked === null) return null;
  return asked === undefined ? new Date(now.getTime() + lifetimeDays.default * dayMs) : new Date(asked);
}
