// Passes the API's paths on to the API, for a web app that runs as a separate process.
// Reads nothing of what it carries: bodies stream, credentials and cookies go through untouched.
import { log } from "@plinth/platform/log";
import { withoutSecrets } from "@plinth/platform/log-line";
import { requestIdOf } from "@plinth/platform/request-id";
import { forwardedFor } from "./visitor-headers.ts";

// RFC 9110 7.6.1: these speak of one connection; also each header that `Connection` names.
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

// Kit replaces the global fetch while it renders a page in development, and warns of each call, also of this one.
const { fetch } = globalThis;

/** Makes the fetch to an API elsewhere, which streams both ways; 503 `unavailable` where the API is away. */
export function createApiFetch(apiOrigin: string) {
  const target = new URL(apiOrigin).origin;
  return async (request: Request, sent = request.headers): Promise<Response> => {
    const url = new URL(request.url);
    const headers = endToEnd(sent);
    // The API checks the host that the visitor asked for, not the one it is reached by.
    headers.set("host", url.host);
    try {
      const answer = await fetch(target + url.pathname + url.search, {
        method: request.method,
        headers,
        body: request.body,
        redirect: "manual",
        signal: request.signal,
        decompress: false,
      });
      return new Response(answer.body, { status: answer.status, headers: endToEnd(answer.headers) });
    } catch (cause) {
      const requestId = requestIdOf(sent);
      // A visitor who left is no news; an API that is away is.
      if (!request.signal.aborted) {
        log.write("error", { requestId, error: withoutSecrets(String(cause)) });
      }
      return unavailable(requestId);
    }
  };
}

/** Makes the function that passes a visitor's own request on, with its correlation id and address. */
export function createProxy(apiFetch: ReturnType<typeof createApiFetch>) {
  return (request: Request, { clientAddress }: { clientAddress: string }): Promise<Response> => {
    const headers = new Headers(request.headers);
    headers.set("x-request-id", requestIdOf(request.headers));
    headers.set("x-forwarded-for", forwardedFor(request.headers, clientAddress));
    return apiFetch(request, headers);
  };
}

function endToEnd(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = headers.get("connection")?.split(",") ?? [];
  for (const name of [...hopByHop, ...named.map((item) => item.trim())]) {
    if (name !== "") kept.delete(name);
  }
  return kept;
}

function unavailable(requestId: string): Response {
  const problem = {
    type: "/docs/errors/unavailable",
    title: "Service unavailable",
    status: 503,
    detail: "The API cannot be reached.",
    code: "unavailable",
    requestId,
    hint: "Try again in a few seconds.",
  };
  return new Response(JSON.stringify(problem), {
    status: 503,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "retry-after": "5",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    },
  });
}
