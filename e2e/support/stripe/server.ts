// The fake's HTTP server: the API for clients under /v1, pages for browsers elsewhere, and dropped connections.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import Stripe from "stripe";

import type { Fault } from "./faults.ts";
import { page } from "./page-routes.ts";
import { passTime } from "./periods.ts";
import type { Answering } from "./requests.ts";
import type { Setup } from "./setup.ts";

interface Serving {
  readonly setup: () => Setup;
  readonly fault: () => Fault | null;
  readonly answering: Answering;
}

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

const bodyAtMost = 1_000_000;

/** Port 0 is any free one. */
export async function listen(port: number, serving: Serving): Promise<Listening> {
  const server = createServer((request, response) => {
    serve(serving, request, response).catch((error: unknown) => {
      // A fault of the fake itself, which a test must see and not confuse with one it requested.
      console.error(error);
      response.writeHead(500, { "content-type": "text/plain" }).end(`The double is broken: ${String(error)}`);
    });
  });
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

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path, search } = new URL(request.url ?? "/", "http://localhost");
  const body = await readBody(request);
  const { method = "GET", headers } = request;
  const setup = serving.setup();
  passTime(setup, setup.clock.now());
  if (!path.startsWith("/v1/")) return page(setup, method, path, body, response);
  const fault = serving.fault();
  const reply = serving.answering(setup, { method, path, query: search.slice(1), headers, body }, fault);
  if (fault === "drop" || fault === "drop-after") return void request.socket.destroy();
  if (fault === "hang" || fault === "hang-after") return;
  response.writeHead(reply.status, {
    "content-type": "application/json",
    // A runtime may ask again by itself where a connection that was used before ends, and meet no failure.
    connection: "close",
    "request-id": `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 14)}`,
    "stripe-version": Stripe.API_VERSION,
    ...reply.headers,
  });
  response.end(reply.body);
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
