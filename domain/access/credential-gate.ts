// The rate limit of refused credentials (docs/reference/contract.md §2, "Rate limits"), counted by address and apart from
// anonymous requests. Once an address has spent it, a credential that this process does not know is refused before it is
// looked up.
import { AppError } from "@plinth/contract/errors";
import type { Operation } from "@plinth/contract/operation";
import { createCache } from "@plinth/platform/caches";

import { addressKey, type Allowance, type RateLimiter } from "../rate-limit.ts";
import type { Call, Credential } from "./call.ts";

export type Presented = Pick<Call, "credential" | "share" | "address">;

interface CountedRefusal {
  readonly error: unknown;
  /** The remaining refusals of the rate; null where the refusal was not counted. */
  readonly allowance: Allowance | null;
}

export interface CredentialGate {
  /** `rate_limited` where the address has spent its rate of refusals and the credential is not known. */
  rateRefusal(op: Operation, call: Presented): AppError | null;
  /** The refusal of a credential that has ended, without another look-up. */
  endedRefusal(op: Operation, call: Presented): AppError | null;
  /** The credential was looked up and is valid: refusals of its address do not count against it. */
  accepted(call: Presented): void;
  /**
   * Counts a refusal that is due to the credential, and returns the error to answer. `isKnown`: the credential was valid
   * once, by the database.
   */
  refused(call: Presented, refusal: unknown, isKnown: boolean): Promise<CountedRefusal>;
}

const secondMs = 1000;

const refusedCodes: ReadonlySet<string> = new Set(["unauthenticated", "token_expired"]);

export function createCredentialGate(limiter: RateLimiter): CredentialGate {
  /** Credentials that were valid, by name; each request checks them again. */
  const good = createCache<true>("validCredentials");
  /** The refusals of ended credentials, by name. An ended credential never becomes valid again. */
  const ended = createCache<AppError>("endedCredentials");
  /** When the rate resets, by the key of its count (`performance.now`). */
  const spent = createCache<number>("spentAddresses");

  return {
    rateRefusal(op, call) {
      if (spent.size === 0) return null;
      const shown = shownBy(call);
      if (shown === null || good.has(shown.name) || ended.has(shown.name)) return null;
      if (shown.isSigned && op.caller !== "authenticated") return null;
      const key = countedUnder(shown, call);
      const leftMs = (spent.get(key) ?? 0) - performance.now();
      if (leftMs > 0) return tooMany(Math.ceil(leftMs / secondMs));
      spent.delete(key);
      return null;
    },

    endedRefusal(op, { credential, share }) {
      if (ended.size === 0) return null;
      // An ended session counts as no credential, which some operations accept, and all beside a share link.
      if (credential.kind === "session" && (op.caller !== "authenticated" || share !== undefined)) return null;
      const name = nameOf(credential);
      return name === null ? null : (ended.get(name) ?? null);
    },

    accepted(call) {
      const shown = shownBy(call);
      if (shown !== null) good.set(shown.name, true);
    },

    async refused(call, refusal, isKnown) {
      const shown = shownBy(call);
      if (shown === null || !(refusal instanceof AppError) || !isRefusal(call.credential, refusal))
        return { error: refusal, allowance: null };
      const wasGood = good.delete(shown.name) || isKnown || shown.isSigned;
      if (wasGood && isGoodEverywhere.has(call.credential.kind)) ended.set(shown.name, refusal);
      const key = countedUnder(shown, call);
      const allowance = await limiter.take("refusals", key);
      if (allowance === null) return { error: refusal, allowance };
      const { remaining, resetSeconds, exceeded } = allowance;
      if (remaining === 0) spent.set(key, performance.now() + resetSeconds * secondMs);
      return { error: exceeded && !wasGood ? tooMany(resetSeconds) : refusal, allowance };
    },
  };
}

interface Shown {
  /** What the credential is remembered by. */
  readonly name: string;
  /** Whether it has a signature of ours, which cannot be guessed. */
  readonly isSigned: boolean;
}

/** Null where nothing was presented that is looked up or compared. */
function shownBy({ credential, share }: Presented): Shown | null {
  const name = nameOf(credential);
  if (name !== null) return { name, isSigned: credential.kind === "session" };
  if (credential.kind !== "none" || share === undefined) return null;
  if (share.hash !== undefined) return { name: `share ${share.hash}`, isSigned: false };
  return { name: `grants ${share.granted?.join(" ")}`, isSigned: true };
}

function nameOf(credential: Credential): string | null {
  switch (credential.kind) {
    case "oauth":
      // A token is good for one resource, and refused at another one as an unknown token is.
      return `oauth ${credential.at ?? ""} ${credential.hash}`;
    case "key":
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
const countedUnder = ({ isSigned }: Shown, { address }: Presented): string =>
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
