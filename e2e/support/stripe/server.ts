// The fake's HTTP server: the API for clients under /v1, pages for browsers elsewhere, and dropped connections.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import Stripe from "stripe";

import type { Fault } from "./faults.ts";
import { pageAt } from "./pages.ts";
import { passTime } from "./periods.ts";
import type { Answering } from "./requests.ts";
import type { State } from "./state.ts";

interface Serving {
  readonly state: () => State;
  readonly fault: () => Fault | null;
  readonly answering: Answering;
}

/** Port 0 is any free one. */
export async function listen(port: number, serving: Serving): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    serve(serving, request, response).catch((error: unknown) => {
      // A fault of the fake itself, which a test must see and not confuse with one it requested.
      console.error(error);
      response.writeHead(500, { "content-type": "text/plain" }).end(`The fake is broken: ${String(error)}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the fake has no port");
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
  const body = await text(request);
  const { method = "GET", headers } = request;
  const state = serving.state();
  passTime(state, state.now());
  if (!path.startsWith("/v1/")) {
    const { status, location, html } = pageAt(state, method, path, body);
    const type = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
    response.writeHead(status, { ...type, ...(location !== undefined && { location }) }).end(html);
    return;
  }
  const fault = serving.fault();
  const form = method === "POST" ? body : search.slice(1);
  const reply = serving.answering(state, { method, path, form, headers }, fault);
  if (fault === "drop-after") return void request.socket.destroy();
  if (fault === "hang" || fault === "hang-after") return;
  response.writeHead(reply.status, {
    "content-type": "application/json",
    // A runtime may ask again by itself where a connection that was used before ends, and meet no failure.
    connection: "close",
    "request-id": `req_${crypto.randomUUID().replaceAll("-", "").slice(0, 14)}`,
    "stripe-version": Stripe.API_VERSION,
  });
  response.end(reply.body);
}
