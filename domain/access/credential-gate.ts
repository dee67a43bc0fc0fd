// What refused credentials cost (docs/reference/contract.md §2, "Rate limits"). Refusals have a rate of their own by
// address, apart from what anonymous callers spend. Once it is spent, a credential that this process does not know is
// refused before it is looked up.
import { AppError } from "@plinth/contract/errors";
import type { Operation } from "@plinth/contract/operation";
import { LRUCache } from "lru-cache";

import { addressKey, type RateLimiter } from "../rate-limit.ts";
import type { Call, Credential } from "./call.ts";

type Caller = Pick<Call, "credential" | "share" | "address" | "onAllowance">;

export interface CredentialGate {
  /** @throws rate_limited where the address has spent its rate of refusals and the credential is not known */
  requireRate(op: Operation, call: Caller): void;
  /** Stands in for the look-up of a credential that has ended. @throws what its last look-up ended in */
  requireCurrent(op: Operation, call: Caller): void;
  /** The credential was looked up and is good: what others send from its address does not count against it. */
  accepted(call: Caller): void;
  /**
   * Counts a refusal that is the credential's; gives what is answered instead of it. `isKnown` where the credential was
   * good once, as far as the database says.
   */
  refused(call: Caller, refusal: unknown, isKnown: boolean): Promise<unknown>;
}

/** Credentials and addresses that are remembered. */
const remembered = 10_000;
/** A credential that has ended is looked up again after so long, in ms. */
const endedMs = 10 * 60_000;
const secondMs = 1000;

const refusedCodes: ReadonlySet<string> = new Set(["unauthenticated", "token_expired"]);

export function createCredentialGate(limiter: RateLimiter): CredentialGate {
  /** By name; whether they still are is asked with every request. */
  const good = new LRUCache<string, true>({ max: remembered });
  /** What was answered, by name. No credential becomes good again. */
  const ended = new LRUCache<string, AppError>({ max: remembered, ttl: endedMs });
  /** When the rate is there again, by what is counted under (`performance.now`). */
  const spent = new LRUCache<string, number>({ max: remembered });

  return {
    requireRate(op, call) {
      if (spent.size === 0) return;
      const shown = shownBy(call);
      if (shown === null || good.has(shown.name) || ended.has(shown.name)) return;
      if (shown.isSigned && op.caller !== "authenticated") return;
      const key = countedUnder(shown, call);
      const leftMs = (spent.get(key) ?? 0) - performance.now();
      if (leftMs > 0) throw tooMany(Math.ceil(leftMs / secondMs));
      spent.delete(key);
    },

    requireCurrent(op, { credential, share }) {
      if (ended.size === 0) return;
      const name = nameOf(credential);
      const refusal = name === null ? undefined : ended.get(name);
      // A session that has ended is as none, which is enough for some operations and beside a share link.
      const mayPass = credential.kind === "session" && (op.caller !== "authenticated" || share !== undefined);
      if (refusal !== undefined && !mayPass) throw refusal;
    },

    accepted(call) {
      const shown = shownBy(call);
      if (shown !== null) good.set(shown.name, true);
    },

    async refused(call, refusal, isKnown) {
      const shown = shownBy(call);
      if (shown === null || !(refusal instanceof AppError) || !isRefusal(call.credential, refusal)) return refusal;
      const wasGood = good.delete(shown.name) || isKnown || shown.isSigned;
      if (wasGood && isGoodEverywhere.has(call.credential.kind)) ended.set(shown.name, refusal);
      const key = countedUnder(shown, call);
      const allowance = await limiter.take("refusals", key);
      if (allowance === null) return refusal;
      call.onAllowance?.(allowance);
      const { remaining, resetSeconds, exceeded } = allowance;
      if (remaining === 0) spent.set(key, performance.now() + resetSeconds * secondMs);
      return exceeded && !wasGood ? tooMany(resetSeconds) : refusal;
    },
  };
}

interface Shown {
  /** What the credential is remembered by. */
  readonly name: string;
  /** Whether it has a signature of ours: nobody guesses one. */
  readonly isSigned: boolean;
}

/** Null where nothing was presented that is looked up or compared. */
function shownBy({ credential, share }: Caller): Shown | null {
  const name = nameOf(credential);
  if (name !== null) return { name, isSigned: credential.kind === "session" };
  if (credential.kind !== "none" || share === undefined) return null;
  if (share.hash !== undefined) return { name: `share ${share.hash}`, isSigned: false };
  return { name: `grants ${share.granted?.join(" ")}`, isSigned: true };
}

function nameOf(credential: Credential): string | null {
  switch (credential.kind) {
    case "key":
    case "oauth":
    case "operator":
      return `${credential.kind} ${credential.hash}`;
    case "session":
      return `session ${credential.token}`;
    case "bad":
      return "bad";
    default:
      return null;
  }
}

/** Those with a signature by themselves, so that guesses keep no session waiting that this process has not seen yet. */
const countedUnder = ({ isSigned }: Shown, { address }: Caller): string =>
  `${isSigned ? "signed " : ""}${addressKey(address)}`;

/** Those whose refusal means that they have ended: a share link and the operator's token are refused where they do not belong. */
const isGoodEverywhere: ReadonlySet<Credential["kind"]> = new Set(["key", "oauth", "session"]);

/** A wrong operator token is told that nothing is there. */
const isRefusal = ({ kind }: Credential, { code }: AppError): boolean =>
  refusedCodes.has(code) || (kind === "operator" && code === "not_found");

const tooMany = (retryAfterSeconds: number): AppError =>
  new AppError("rate_limited", "Too many requests with a credential that is not valid came from this address", {
    retryAfterSeconds,
    hint: `Check the token, wait ${retryAfterSeconds} s and send the same request again`,
  });
