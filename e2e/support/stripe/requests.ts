// One request of a client, answered: checks what Stripe checks of every request (key, version, encoding, idempotency), and
// fails where it is told to. Knows nothing of sockets.
import type { IncomingHttpHeaders } from "node:http";

import Stripe from "stripe";

import { StripeFailure } from "./failure.ts";
import type { Fault } from "./faults.ts";
import { Parameters } from "./parameters.ts";
import { answerTo } from "./routes.ts";
import type { State } from "./state.ts";

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
  /** The query without its question mark, or the body of a POST. */
  readonly form: string;
  readonly headers: IncomingHttpHeaders;
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

export type Answering = (state: State, request: Request, fault: Fault | null) => Reply;

export function createAnswering(secretKey: string, onRequest: (asked: Asked) => void): Answering {
  const used = new Map<string, { readonly form: string; readonly reply: Reply }>();

  /** A key that was used gets the answer it got, and none with other parameters. */
  function once(key: string, form: string, work: () => Reply): Reply {
    const before = used.get(key);
    if (before !== undefined && before.form !== form)
      throw new StripeFailure(400, "idempotency_error", `The key '${key}' was used with other parameters.`);
    const reply = before?.reply ?? work();
    // A request that was refused before it had an effect can be repeated.
    if (reply.status !== 400 && reply.status !== 404) used.set(key, { form, reply });
    return reply;
  }

  function answer(state: State, { method, path, form, headers }: Request, fault: Fault | null): Reply {
    if (fault !== null && fault in failures) throw failures[fault as keyof typeof failures]();
    requireHeaders(method, headers, secretKey);
    const key = headers["idempotency-key"];
    const work = () =>
      refusing(() => ({ status: 200, body: JSON.stringify(answerTo(state, method, path, new Parameters(form))) }));
    return method === "POST" && typeof key === "string" ? once(key, `${path} ${form}`, work) : work();
  }

  return (state, request, fault) => {
    const reply = refusing(() => answer(state, request, fault));
    const { method, path, headers } = request;
    const key = headers["idempotency-key"];
    const isOwn = typeof key === "string" && !key.startsWith("stripe-node-retry-");
    onRequest({ method, path, idempotencyKey: isOwn ? key : null, status: reply.status });
    return reply;
  };
}

function refusing(work: () => Reply): Reply {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    return { status: error.status, body: JSON.stringify(error.body()) };
  }
}

/** Of the faults that come before anything is done. */
const failures = {
  500: () => new StripeFailure(500, "api_error", "An unknown error occurred"),
  429: () => new StripeFailure(429, "invalid_request_error", "Request rate limit exceeded.", { code: "rate_limit" }),
  409: () => new StripeFailure(409, "invalid_request_error", "This object is locked.", { code: "lock_timeout" }),
  // No client receives it.
  hang: () => new StripeFailure(500, "api_error", "Not answered"),
} as const;

function requireHeaders(method: string, headers: IncomingHttpHeaders, secretKey: string): void {
  const { authorization, "stripe-version": version, "content-type": type } = headers;
  if (authorization !== `Bearer ${secretKey}`)
    throw new StripeFailure(401, "invalid_request_error", "Invalid API Key provided: sk_****");
  if (version !== Stripe.API_VERSION)
    throw new StripeFailure(400, "invalid_request_error", `Invalid Stripe API version: ${String(version)}`);
  if (method === "POST" && type !== "application/x-www-form-urlencoded")
    throw new StripeFailure(400, "invalid_request_error", "Invalid request: the body must be form-encoded");
}
