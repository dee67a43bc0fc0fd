// One request of a client, answered: checks what Stripe checks of every request (key, version, encoding, idempotency), and
// fails where it is told to. Knows nothing of sockets.
import type { IncomingHttpHeaders } from "node:http";

import Stripe from "stripe";

import { StripeFailure } from "./failure.ts";
import type { Fault } from "./faults.ts";
import { parseForm } from "./form.ts";
import { createKeys, type Reply } from "./idempotency.ts";
import { Parameters } from "./parameters.ts";
import { routeOf } from "./routes.ts";
import type { Setup } from "./setup.ts";

/** A request of a client to the fake. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Null where none was sent, or one that the client thought of by itself: it says nothing of what the request is. */
  readonly idempotencyKey: string | null;
  /** That was answered, or would have been where the answer was lost. */
  readonly status: number;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type FullReply = Reply & { readonly headers?: Record<string, string> };

export type Answering = (setup: Setup, request: Request, fault: Fault | null) => FullReply;

export function createAnswering(secretKey: string, onRequest: (asked: Asked) => void): Answering {
  const keys = createKeys();

  function answer(setup: Setup, { method, path, query, headers, body }: Request, fault: Fault | null): FullReply {
    const sent = headers["idempotency-key"];
    const key = method === "POST" && typeof sent === "string" ? sent : null;
    if (isBefore(fault)) throw failures[fault]();
    requireKey(headers, secretKey);
    requireVersion(method, headers);
    const { route, id } = routeOf(method, path);
    const form = parseForm(method === "POST" ? body : query);
    const { isReplayed, ...reply } = keys.once(key, `${method} ${path} ${body}`, () =>
      refusing(() => {
        if (fault === "500-kept") throw failures[500]();
        return { status: 200, body: JSON.stringify(route.answer(setup, new Parameters(form), id), null, 2) };
      }),
    );
    return isReplayed ? { ...reply, headers: { "idempotent-replayed": "true" } } : reply;
  }

  return (setup, request, fault) => {
    const reply = refusing(() => answer(setup, request, fault));
    const { method, path, headers } = request;
    const key = headers["idempotency-key"];
    const isOwn = typeof key === "string" && !key.startsWith("stripe-node-retry-");
    onRequest({ method, path, idempotencyKey: isOwn ? key : null, status: reply.status });
    return reply;
  };
}

function refusing(work: () => FullReply): FullReply {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    return { status: error.status, body: JSON.stringify(error.body(), null, 2) };
  }
}

const failures = {
  500: () => new StripeFailure(500, "api_error", "An unknown error occurred"),
  429: () => new StripeFailure(429, "invalid_request_error", "Request rate limit exceeded.", { code: "rate_limit" }),
  409: () =>
    new StripeFailure(
      409,
      "invalid_request_error",
      "This object cannot be accessed right now because another API request or Stripe process is currently accessing it.",
      { code: "lock_timeout" },
    ),
  // No client receives these.
  hang: () => new StripeFailure(500, "api_error", "Not answered"),
  drop: () => new StripeFailure(500, "api_error", "Not answered"),
} as const;

/** Whether it comes before anything is done. */
const isBefore = (fault: Fault | null): fault is keyof typeof failures => fault !== null && fault in failures;

function requireKey({ authorization = "" }: IncomingHttpHeaders, secretKey: string): void {
  const sent = /^Bearer (.+)$/.exec(authorization)?.[1];
  if (sent === secretKey) return;
  const message = sent === undefined ? "You did not provide an API key." : "Invalid API Key provided: sk_****";
  throw new StripeFailure(401, "invalid_request_error", message);
}

function requireVersion(method: string, headers: IncomingHttpHeaders): void {
  const version = headers["stripe-version"];
  if (version !== Stripe.API_VERSION)
    throw new StripeFailure(400, "invalid_request_error", `Invalid Stripe API version: ${String(version)}`);
  const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
  if (method === "POST" && !isForm)
    throw new StripeFailure(400, "invalid_request_error", "Invalid request: the body must be form-encoded");
}
