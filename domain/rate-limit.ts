// The rate limits of one principal (docs/reference/contract.md §2, "Rate limits"). The counters decide where to count.
import { AppError } from "@plinth/contract/errors";
import { RateLimiterRes } from "rate-limiter-flexible";
import { isIPv6 } from "node:net";

import type { Config } from "./config.ts";
import type { Counter, Counters } from "./counters.ts";

const windowSeconds = 60;
const filesFactor = 10;
/** Of the reads of one address, what a single document can use up, which may load itself again without end. */
const documentShare = 1 / 2;
/** Documents are counted in so many groups for each address, so that addresses that lead nowhere fill no memory. */
const documentGroups = 256n;
const mostPreviews = 20;
const mailsAnHour = { "mails-from": 60, "mails-to": 20, "mails-between": 5, "mails-known": 5 } as const;
const mailSeconds = 3600;

/**
 * `refusals` are refused credentials: their limit equals that of reads, with a separate count. `files` are uploads, and the
 * files that a document loads: one page may have hundreds, so their limit is ten times that of reads. `loads` are those of
 * one document by readers of one address, at most half of their reads. `previews` are texts
 * rendered for callers without an account. `mails-…` are sign-in links by email in an hour: from one network, to one
 * address, from one network to one address, and from one browser to an address that has signed in there.
 */
export type Budget = "reads" | "writes" | "refusals" | "files" | "loads" | "previews" | keyof typeof mailsAnHour;

/** The remaining requests, for the RateLimit header fields. */
export interface Allowance {
  readonly budget: Budget;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export interface RateLimiter {
  /** Counts one request; null where the limit is switched off. */
  take(budget: Budget, key: string): Promise<Allowance> | null;
}

/** The key of the callers of one address. */
export const addressKey = (address: string): string => `address:${networkOf(address)}`;

/** The key of the loads of one document by the callers of one address. */
export const documentKey = (address: string, path: string): string =>
  `${addressKey(address)}#${Bun.hash.xxHash64(path) % documentGroups}`;

/** For IPv6 the first 64 bits: a caller with one address can use its whole network, and so evade the limit. */
function networkOf(address: string): string {
  // This runs for every request, and most addresses are IPv4.
  if (!address.includes(":") || !isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::").map((half) => half.split("%", 1)[0]);
  const groupsOf = (half: string): string[] => (half === "" ? [] : half.split(":"));
  const last = groupsOf(tail);
  // An IPv4 address at the end stands for two groups.
  const zeros = 8 - groupsOf(head).length - last.length - (tail.includes(".") ? 1 : 0);
  const groups = [...groupsOf(head), ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

export function createRateLimiter(limits: Config["rateLimits"], { counter }: Counters): RateLimiter {
  const counterOf = (budget: Budget, limit: number): Counter | null =>
    limit === 0 ? null : counter(budget, limit, windowSeconds);
  const limiters = {
    reads: counterOf("reads", limits.reads),
    writes: counterOf("writes", limits.writes),
    refusals: counterOf("refusals", limits.reads),
    files: counterOf("files", limits.reads * filesFactor),
    loads: counterOf("loads", Math.ceil(limits.reads * documentShare)),
    previews: counterOf("previews", Math.min(limits.reads, mostPreviews)),
    // Of any configuration: the mails go to people who may not have asked for them.
    "mails-from": counter("mails-from", mailsAnHour["mails-from"], mailSeconds),
    "mails-to": counter("mails-to", mailsAnHour["mails-to"], mailSeconds),
    "mails-between": counter("mails-between", mailsAnHour["mails-between"], mailSeconds),
    "mails-known": counter("mails-known", mailsAnHour["mails-known"], mailSeconds),
  };
  return {
    take(budget, key) {
      const limiter = limiters[budget];
      return limiter === null ? null : consume(limiter, budget, key);
    },
  };
}

async function consume(limiter: Counter, budget: Budget, key: string): Promise<Allowance> {
  try {
    return allowance(budget, limiter.points, await limiter.consume(key), false);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return allowance(budget, limiter.points, refusal, true);
  }
}

function allowance(budget: Budget, limit: number, state: RateLimiterRes, exceeded: boolean): Allowance {
  const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return { budget, limit, remaining: Math.max(0, state.remainingPoints), resetSeconds, exceeded };
}

/** Null where the limit was not exceeded. */
export function rateRefusal({ budget, limit, resetSeconds, exceeded }: Allowance): AppError | null {
  if (!exceeded) return null;
  return new AppError("rate_limited", `More than ${limit} ${budget} in a minute`, {
    retryAfterSeconds: resetSeconds,
    hint: `Wait ${resetSeconds} s and send the same request again`,
  });
}

/** @throws rate_limited */
export function requireAllowance(allowance: Allowance): void {
  const refusal = rateRefusal(allowance);
  if (refusal !== null) throw refusal;
}

/** The header fields of an answer (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimitHeaders({ budget, limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    "ratelimit-policy": `"${budget}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${budget}";r=${remaining};t=${resetSeconds}`,
  };
}
