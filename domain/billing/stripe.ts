// The one way to Stripe: its own client, with a bound on how long it is waited for, and its failures in the contract's
// terms.
import { AppError } from "@plinth/contract/errors";
import { parsedJson } from "@plinth/platform/malformed";
import Stripe from "stripe";

import type { BillingConfig } from "../config.ts";

/** How long Stripe is waited for. */
export interface RetryPolicy {
  /** For each try of a request, in ms. */
  readonly timeoutMs: number;
  /** Further tries, of what the library knows to be worth one; they carry the key of the first. */
  readonly retries: number;
}

const usual: RetryPolicy = { timeoutMs: 6000, retries: 1 };
const retrySeconds = 10;

export function openStripe(
  { secretKey, apiBase }: Pick<BillingConfig, "secretKey" | "apiBase">,
  { timeoutMs, retries }: RetryPolicy = usual,
): Stripe {
  return new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
    appInfo: { name: "Plinth" },
    // Bun's fetch type has a further member that Stripe never calls.
    httpClient: Stripe.createFetchHttpClient(fetchFromStripe as typeof fetch),
    ...(apiBase !== null && placeOf(new URL(apiBase))),
  });
}

/**
 * What answers between us and Stripe, as a proxy does, is no answer: the client takes any JSON that names no error for
 * the object that it asked for. @throws Error, which the client takes for a connection that failed
 */
async function fetchFromStripe(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const body = await response.text();
  if (!isStripes(body)) throw new Error(`What answered with ${status} is not Stripe`);
  return new Response(body, { status, headers });
}

/** Every response of Stripe is an object that names its type or its error. */
function isStripes(body: string): boolean {
  const answer = parsedJson(body);
  return typeof answer === "object" && answer !== null && ("object" in answer || "error" in answer);
}

function placeOf({ protocol, hostname, port }: URL) {
  const isPlain = protocol === "http:";
  return { protocol: isPlain ? "http" : "https", host: hostname, port: port || (isPlain ? 80 : 443) } as const;
}

export const notConfigured = (): AppError =>
  new AppError("billing_unavailable", "This instance sells no plans", {
    hint: "Its operator can set plans manually, or configure Stripe",
    retryAfterSeconds: 3600,
  });

/**
 * The key of a request that changes something: the client's repetitions have the same, another try of ours has not
 * (docs/decisions/billing.md, "Idempotency keys to Stripe").
 */
export const keyOf = (what: "checkout" | "expire" | "portal", id: string): { readonly idempotencyKey: string } => ({
  idempotencyKey: `plinth/${what}/${id}/${crypto.randomUUID()}`,
});

/** Whether Stripe says that what was named is not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";

/** Whether Stripe itself is unavailable or limits requests, so that any further request would fail too. */
export const isAway = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error instanceof Stripe.errors.StripeAuthenticationError;

/** Why Stripe did not respond, for the operator: one line, without a secret. */
export function whyNoAnswer(error: unknown): string {
  if (error instanceof Stripe.errors.StripeAuthenticationError) return "Stripe does not know STRIPE_SECRET_KEY";
  if (error instanceof Stripe.errors.StripePermissionError)
    return "Stripe lets STRIPE_SECRET_KEY read no prices: a restricted key needs more rights (docs/billing.md)";
  if (error instanceof Stripe.errors.StripeConnectionError) return "Stripe can't be reached";
  if (error instanceof Stripe.errors.StripeError) return `Stripe refused (${error.type})`;
  throw error;
}

/** What Stripe answers. @throws billing_unavailable where it does not, or refuses */
export async function asked<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const isOurs = error instanceof Stripe.errors.StripeInvalidRequestError;
    const detail = isOurs ? "Stripe did not take the request" : "Stripe can't be reached";
    const extra = { hint: "Nothing was changed or paid; try again in a moment", retryAfterSeconds: retrySeconds };
    throw new AppError("billing_unavailable", detail, extra, error);
  }
}
