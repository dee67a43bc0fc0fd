// The keys with which issuers sign their id tokens, found by discovery (OpenID Connect Discovery 1.0) through the guarded
// fetcher, because people name the issuers.
import { createCache } from "@plinth/platform/caches";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

import { FetchError, guardedFetch, type Fetched, type FetchLimits } from "./guarded-fetch.ts";

/** Why an issuer's keys are not known. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

/** How a URL is fetched: by the guarded fetcher, but for tests. */
export type FetchUrl = (url: string, limits: FetchLimits) => Promise<Fetched>;

export interface IssuerKeys {
  /** A key for a token of the issuer. @throws IssuerError where the issuer does not say its keys */
  keysOf(issuer: string): JWTVerifyGetKey;
}

/** Keys are fetched again after so long, in ms. */
const keptMs = 10 * 60_000;
/** And for a key that is not among them at most once in this time, in ms. */
const pauseMs = 30_000;
const bytes = 256 * 1024;
const ms = 5000;

interface Known {
  readonly key: JWTVerifyGetKey;
  readonly at: number;
}

/** `now` is a monotonic clock in ms. */
export function createIssuerKeys(
  trustedIssuers: readonly string[],
  fetchUrl: FetchUrl = guardedFetch,
  now: () => number = () => performance.now(),
): IssuerKeys {
  const known = createCache<Promise<Known>>("issuerKeys");

  function fetched(issuer: string): Promise<Known> {
    const fetching = fetchKeys(issuer, trustedIssuers, fetchUrl).then((key) => ({ key, at: now() }));
    known.set(issuer, fetching);
    fetching.catch(() => {
      if (known.peek(issuer) === fetching) known.delete(issuer);
    });
    return fetching;
  }

  /** Those that another request has fetched since, so that many requests at once fetch once. */
  function renewed(issuer: string, before: Promise<Known>): Promise<Known> {
    const current = known.get(issuer);
    return current === undefined || current === before ? fetched(issuer) : current;
  }

  return {
    keysOf: (issuer) => async (header, token) => {
      let held = known.get(issuer) ?? fetched(issuer);
      if (now() - (await held).at > keptMs) held = renewed(issuer, held);
      const { key, at } = await held;
      try {
        return await key(header, token);
      } catch (error) {
        // The issuer may have a new key.
        if (!(error instanceof errors.JWKSNoMatchingKey) || now() - at < pauseMs) throw error;
        return (await renewed(issuer, held)).key(header, token);
      }
    },
  };
}

async function fetchKeys(issuer: string, trusted: readonly string[], fetchUrl: FetchUrl): Promise<JWTVerifyGetKey> {
  const document = await fetchJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, trusted, fetchUrl);
  if (document["issuer"] !== issuer) throw new IssuerError(`${issuer} calls itself something else`);
  const address = document["jwks_uri"];
  if (typeof address !== "string" || !URL.canParse(address)) throw new IssuerError(`${issuer} names no jwks_uri`);
  const set = await fetchJson(address, trusted, fetchUrl);
  try {
    return createLocalJWKSet(set as unknown as JSONWebKeySet);
  } catch (cause) {
    throw new IssuerError(`${issuer} has no set of keys`, { cause });
  }
}

async function fetchJson(
  url: string,
  trusted: readonly string[],
  fetchUrl: FetchUrl,
): Promise<Record<string, unknown>> {
  const { origin } = new URL(url);
  const trustedOrigin = trusted.includes(origin) ? origin : null;
  try {
    const { status, bytes: body } = await fetchUrl(url, { bytes, ms, trustedOrigin, accept: "application/json" });
    if (status !== 200) throw new IssuerError(`${origin} answered ${status}`);
    const value = JSON.parse(new TextDecoder().decode(body)) as unknown;
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
    throw new IssuerError(`${origin} did not answer with an object`);
  } catch (cause) {
    if (cause instanceof FetchError) throw new IssuerError(cause.message, { cause });
    if (cause instanceof SyntaxError) throw new IssuerError(`${origin} did not answer with JSON`, { cause });
    throw cause;
  }
}
