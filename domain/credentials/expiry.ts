// How long a credential lives (contract 5): 90 days unless asked otherwise, at most 365, for ever only on request.
import { notATime, readTime } from "../given-time.ts";

const dayMs = 86_400_000;
const lifetimeDays = { default: 90, max: 365 } as const;
/** Of a credential that ends at all, in ms. */
export const longestLifetimeMs = lifetimeDays.max * dayMs;

/** What is wrong with a given expiry; null where nothing is. */
export function expiryProblem(asked: string | null | undefined, now: Date): string | null {
  if (asked === null || asked === undefined) return null;
  const time = readTime(asked)?.getTime();
  if (time === undefined) return notATime;
  if (time <= now.getTime()) return "must lie ahead";
  if (time > now.getTime() + longestLifetimeMs) return `must lie at most ${lifetimeDays.max} days ahead`;
  return null;
}

/** When a credential made now ends. Expects an expiry without a problem. */
export function expiryOf(asked: string | null | undefined, now: Date): Date | null {
  if (asked === null) return null;
  return asked === undefined ? new Date(now.getTime() + lifetimeDays.default * dayMs) : new Date(asked);
}
