// HTTP of the double: the interface for clients under /v1, pages for browsers elsewhere. Checks what Stripe checks of every
// request (key, version, encoding, idempotency), and fails where it is told to.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import Stripe from "stripe";

import { StripeFailure } from "./failure.ts";
import type { Fault, Faults } from "./faults.ts";
import { parseForm } from "./form.ts";
import { createKeys, type Reply } from "./idempotency.ts";
import { page } from "./page-routes.ts";
import { Parameters } from "./parameters.ts";
import { passTime } from "./periods.ts";
import { routeOf } from "./routes.ts";
import type { World } from "./world.ts";

/** What was asked of the double by a client. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Null where none was sent, or one that the client thought of by itself: it says nothing of what the request is. */
  readonly idempotencyKey: string | null;
  readonly status: number;
}

interface Serving {
  readonly world: () => World;
  readonly secretKey: string;
  readonly faults: Faults & { take(): Fault | null };
  readonly asked: (asked: Asked) => void;
}

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

const bodyAtMost = 1_000_000;

/** Port 0 is any free one. */
export async function listen(port: number, serving: Serving): Promise<Listening> {
  const keys = createKeys();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const body = await readBody(request);
    const world = serving.world();
    passTime(world, world.clock.now());
    if (!url.pathname.startsWith("/v1/")) return page(world, request.method ?? "GET", url.pathname, body, response);
    const fault = serving.faults.take();
    const requestId = `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 14)}`;
    const reply = ask(world, request, url, body, fault);
    if (fault === "drop" || fault === "drop-after") return void request.socket.destroy();
    if (fault === "hang" || fault === "hang-after") return;
    response.writeHead(reply.status, {
      "content-type": "application/json",
      // A client may ask again by itself where a connection that was used before ends, and meet no failure.
      connection: "close",
      "request-id": requestId,
      "stripe-version": Stripe.API_VERSION,
      ...reply.headers,
    });
    response.end(reply.body);
  }

  function ask(world: World, request: IncomingMessage, url: URL, body: string, fault: Fault | null): FullReply {
    const method = request.method ?? "GET";
    const sent = request.headers["idempotency-key"];
    const key = method === "POST" && typeof sent === "string" ? sent : null;
    const idempotencyKey = key === null || key.startsWith("stripe-node-retry-") ? null : key;
    const reply = refusing(() => {
      if (typeof fault === "number") throw failures[fault]();
      if (fault === "hang" || fault === "drop") throw failures[500]();
      requireKey(request, serving.secretKey);
      requireVersion(request);
      const { route, id } = routeOf(method, url.pathname);
      const form = parseForm(method === "POST" ? body : url.search.slice(1));
      const run = () =>
        refusing(() => ({ status: 200, body: JSON.stringify(route.answer(world, new Parameters(form), id), null, 2) }));
      const { isReplayed, ...done } = keys.once(key, `${method} ${url.pathname} ${body}`, run);
      return isReplayed ? { ...done, headers: { "idempotent-replayed": "true" } } : done;
    });
    serving.asked({ method, path: url.pathname, idempotencyKey, status: reply.status });
    return reply;
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the double has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type FullReply = Reply & { readonly headers?: Record<string, string> };

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
} as const;

function requireKey({ headers }: IncomingMessage, secretKey: string): void {
  const sent = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  if (sent === secretKey) return;
  const message = sent === undefined ? "You did not provide an API key." : "Invalid API Key provided: sk_****";
  throw new StripeFailure(401, "invalid_request_error", message);
}

function requireVersion({ headers, method }: IncomingMessage): void {
  const version = headers["stripe-version"];
  if (version !== Stripe.API_VERSION)
    throw new StripeFailure(400, "invalid_request_error", `Invalid Stripe API version: ${String(version)}`);
  const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
  if (method === "POST" && !isForm)
    throw new StripeFailure(400, "invalid_request_error", "Invalid request: the body must be form-encoded");
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > bodyAtMost) throw new Error("the body is too large");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
