// How a request reaches the server: user agent, time limit, retries, no redirects. Every POST carries an
// idempotency key that stays the same over its retries (contract 2). Knows no operation.
import type { Health } from "@plinth/contract/schemas/instance";

import { clientFailure } from "./failure.ts";
import type { Io } from "./io.ts";
import { userAgent } from "./version.ts";

/** Milliseconds. */
const timeLimit = 60_000;
/** What all waiting of one request may add up to, in seconds. */
const patience = 60;
const retries = 4;

type World = Pick<Io, "fetch" | "sleep">;

/** Sends a request, again where the server asked for patience. @throws Failure unavailable */
export async function sendPatiently(
  request: Request,
  { fetch, sleep }: World,
  tell: (message: string) => void,
): Promise<Response> {
  request.headers.set("user-agent", userAgent);
  if (request.method === "POST" && !request.headers.has("idempotency-key")) {
    request.headers.set("idempotency-key", crypto.randomUUID());
  }
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    const response = await attemptOnce(request, fetch);
    const wait = isWorthRetrying(request, response) ? pause(response, attempt) : Infinity;
    if (attempt > retries || waited + wait > patience) return response;
    waited += wait;
    tell(`The server answered ${response.status}; trying again in ${wait} s`);
    await sleep(wait * 1000);
  }
}

/** The whole answer is read here, so that a connection lost halfway is one failure like any other. */
async function attemptOnce(request: Request, fetch: World["fetch"]): Promise<Response> {
  const origin = new URL(request.url).origin;
  const signal = AbortSignal.timeout(timeLimit);
  let response: Response;
  let body: ArrayBuffer;
  try {
    response = await fetch(request.clone(), { signal });
    body = await response.arrayBuffer();
  } catch (error) {
    const why = signal.aborted ? `did not answer within ${timeLimit / 1000} s` : "could not be reached";
    throw clientFailure("unavailable", `${origin} ${why}`, {
      hint: "Is it running, and is the address right? Set it with --base-url or SERVICE_BASE_URL",
      cause: error,
    });
  }
  if (response.status >= 300 && response.status < 400 && response.status !== 304)
    throw redirected(response, request.url);
  const { pathname } = new URL(request.url);
  const media = response.headers.get("content-type") ?? "";
  if (response.ok && media.startsWith("text/html") && !pathname.endsWith("/content")) {
    throw clientFailure("unavailable", `${origin} answers with a web page, not as a Plinth API`, {
      hint: "Check --base-url",
    });
  }
  if (response.status === 503 && pathname === "/api/health" && media.startsWith("application/json"))
    throw unhealthy(body, origin);
  return new Response(body.byteLength === 0 ? null : body, {
    status: response.status,
    headers: response.headers,
  });
}

/** An instance that cannot serve says so in its health, which is no problem document. */
function unhealthy(body: ArrayBuffer, origin: string) {
  const { checks } = JSON.parse(new TextDecoder().decode(body)) as Pick<Health, "checks">;
  const failed = Object.entries(checks ?? {}).flatMap(([name, { status, detail }]) =>
    status === "fail" ? [detail ? `${name}: ${detail}` : name] : [],
  );
  return clientFailure("unavailable", `${origin} cannot serve${failed.length > 0 ? ` (${failed.join("; ")})` : ""}`);
}

/** A redirect is never followed: it could carry the token to another origin. */
function redirected(response: Response, url: string) {
  const location = response.headers.get("location") ?? "";
  const target = URL.canParse(location, url) ? new URL(location, url).origin : null;
  return clientFailure("unavailable", `${new URL(url).origin} redirects${target ? ` to ${target}` : ""}`, {
    hint: target ? `If you trust it, use --base-url ${target}` : "Check --base-url",
  });
}

/** A 503 may have come after the work was done: again only what may be sent twice. Health is its own answer. */
function isWorthRetrying(request: Request, { status, headers }: Response): boolean {
  if (status === 429) return true;
  if (status !== 503 || new URL(request.url).pathname === "/api/health") return false;
  return headers.has("retry-after") && (request.method === "GET" || request.method === "POST");
}

/** Seconds. */
function pause({ headers }: Response, attempt: number): number {
  const given = headers.get("retry-after") ?? "";
  const seconds = /^\d{1,6}$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 2 ** attempt;
}
