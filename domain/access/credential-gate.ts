// What refused credentials cost their address (contract 2, "Rate limits"): each counts like a request without one, and once
// the address has spent its rate, a credential that this process does not know is refused before it is looked up.
import { AppError } from "@plinth/contract/errors";
import { LRUCache } from "lru-cache";

import type { Call, Credential } from "../context.ts";
import { addressKey, requireAllowance, type Allowance, type Budget, type RateLimiter } from "../rate-limit.ts";

type Caller = Pick<Call, "credential" | "share" | "address" | "onAllowance">;

export interface CredentialGate {
  /** @throws rate_limited where the address has spent its rate and the credential is not known to be good */
  require(effect: "read" | "write", call: Caller): void;
  /** The credential was looked up and is good: what others send from its address does not count against it. */
  accepted(call: Caller): void;
  /** Counts a refusal that is the credential's; gives what is answered instead of it. */
  refused(effect: "read" | "write", call: Caller, refusal: unknown): Promise<unknown>;
}

/** Credentials and addresses that are remembered. */
const remembered = 10_000;
const secondMs = 1000;

const refusedCodes: ReadonlySet<string> = new Set(["unauthenticated", "token_expired"]);

/** Every look-up is a read, and that of a write a write as well: both rates bound it. */
const budgets: Readonly<Record<"read" | "write", readonly Budget[]>> = { read: ["reads"], write: ["reads", "writes"] };

export function createCredentialGate(limiter: RateLimiter): CredentialGate {
  /** By hash; whether they still are is asked with every request. */
  const good = new LRUCache<string, true>({ max: remembered });
  /** When the address has its rate again, by address and budget (`performance.now`). */
  const spent = new LRUCache<string, number>({ max: remembered });

  return {
    require(effect, { credential, share, address }) {
      if (spent.size === 0) return;
      const name = nameOf(credential, share);
      if (name === null || good.has(name)) return;
      for (const budget of budgets[effect]) {
        const key = spentKey(budget, address);
        const leftMs = (spent.get(key) ?? 0) - performance.now();
        if (leftMs > 0) throw tooMany(Math.ceil(leftMs / secondMs));
        spent.delete(key);
      }
    },

    accepted({ credential, share }) {
      const name = nameOf(credential, share);
      if (name !== null) good.set(name, true);
    },

    async refused(effect, call, refusal) {
      const name = nameOf(call.credential, call.share);
      if (name === null || !(refusal instanceof AppError) || !isRefusal(call.credential, refusal)) return refusal;
      good.delete(name);
      let answer: AppError = refusal;
      for (const budget of budgets[effect]) {
        const allowance = await limiter.take(budget, addressKey(call.address));
        if (allowance === null) continue;
        call.onAllowance?.(allowance);
        if (allowance.remaining === 0)
          spent.set(spentKey(budget, call.address), performance.now() + allowance.resetSeconds * secondMs);
        answer = limited(allowance) ?? answer;
      }
      return answer;
    },
  };
}

const spentKey = (budget: Budget, address: string): string => `${budget} ${addressKey(address)}`;

/** Of a token what it is remembered by; null where nothing was presented that could be guessed. */
function nameOf(credential: Credential, share: Caller["share"]): string | null {
  switch (credential.kind) {
    case "key":
    case "oauth":
    case "operator":
      return `${credential.kind} ${credential.hash}`;
    case "bad":
      return "bad";
    case "none":
      return share?.hash === undefined ? null : `share ${share.hash}`;
    default:
      return null;
  }
}

/** A wrong operator token is told that nothing is there. */
const isRefusal = ({ kind }: Credential, { code }: AppError): boolean =>
  refusedCodes.has(code) || (kind === "operator" && code === "not_found");

function limited(allowance: Allowance): AppError | null {
  try {
    requireAllowance(allowance);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const tooMany = (retryAfterSeconds: number): AppError =>
  new AppError("rate_limited", "Too many requests with a credential that is not valid came from this address", {
    retryAfterSeconds,
    hint: `Check the token, wait ${retryAfterSeconds} s and send the same request again`,
  });
