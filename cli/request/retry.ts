// The retry policy: a request is sent again after the server asks to wait, and after a connection was lost or refused in
// the middle of a run. One request that must wait holds all others of the run. Knows no operation.
import { codeOf } from "../failure/system-error.ts";
import { Failure } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import { attemptOnce } from "./transport.ts";
import { userAgent } from "../version.ts";

/** What all waiting of one request may add up to, in seconds. */
const maxWait = 60;
/** The same for a server that has gone away after it answered: a restart takes no longer, even of a slow machine. */
const maxRestartWait = 120;
/** Of a request to a server that says 429, or 503 without having gone away, or that has never answered. */
const maxRetries = 4;
/** Seconds between two attempts to reach a server that has gone away. */
const maxPause = 8;

/**
 * Makes what sends the requests of one run. Every POST carries an idempotency key that stays the same over its
 * retries (docs/reference/contract.md §2), and an upload is the same however often it is sent, so GET, POST and PUT may
 * be sent twice; nothing else is. The sender throws
 * Failure unavailable.
 */
export function createSender({ fetch, sleep }: Pick<Io, "fetch" | "sleep">, report: (message: string) => void) {
  let pause: Promise<void> | null = null;
  let hasAnswered = false;
  /** Whether the server answered and is gone since, or still starts. */
  let isAway = false;

  /** The first refused request pauses all requests; the others were refused for the same reason. */
  function pauseAll(seconds: number, why: string): void {
    if (pause !== null) return;
    report(`${why}; trying again in ${Math.ceil(seconds)} s`);
    // Clients that were refused together would otherwise come back together.
    const spread = seconds * (1 + Math.random() / 4);
    pause = sleep(spread * 1000).finally(() => {
      pause = null;
    });
  }

  return async function send(request: Request): Promise<Response> {
    request.headers.set("user-agent", userAgent);
    if (request.method === "POST" && !request.headers.has("idempotency-key"))
      request.headers.set("idempotency-key", crypto.randomUUID());
    let waited = 0;
    let refusals = 0;
    for (let attempt = 1; ; attempt++) {
      while (pause !== null) await pause;
      const outcome = await attemptOnce(request, fetch).catch(requireFailure);
      if (outcome instanceof Response && !gatewayErrors.has(outcome.status)) hasAnswered = true;
      if (!(outcome instanceof Response)) isAway ||= hasAnswered;
      else if (outcome.status !== 503 && !gatewayErrors.has(outcome.status)) isAway = false;
      let wait: number | null;
      if (!(outcome instanceof Response)) wait = delayAfterFailure(request, outcome, attempt, hasAnswered);
      else if (saysAway(request, outcome, isAway)) wait = delayAfterAway(request, attempt, hasAnswered);
      else wait = delayAfterRefusal(request, outcome, ++refusals);
      const bound = outcome instanceof Response && !isAway ? maxWait : maxRestartWait;
      if (wait === null || waited + wait > bound) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      waited += wait;
      pauseAll(wait, outcome instanceof Response ? `The server answered ${outcome.status}` : outcome.message);
    }
  };
}

function requireFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** What a proxy says while the server behind it is away: a lost connection by another name. */
const gatewayErrors = new Set([502, 504]);

/** Whether the server behind the answer is away: a server that comes back answers 503 until it has started. */
const saysAway = (request: Request, { status }: Response, isAway: boolean): boolean =>
  gatewayErrors.has(status) || (isAway && status === 503 && !isHealth(request));

const delayAfterAway = (request: Request, attempt: number, hasAnswered: boolean): number | null =>
  isRepeatable(request) ? delayWhileAway(attempt, hasAnswered) : null;

/** Health is its own answer. */
const isHealth = ({ url }: Request): boolean => new URL(url).pathname === "/api/health";

const isRepeatable = ({ method }: Request): boolean => method === "GET" || method === "POST" || method === "PUT";

/**
 * Seconds; null where it is not to be sent again. A 503 may have come after the work was done: again only what may be
 * sent twice.
 */
function delayAfterRefusal(request: Request, { status, headers }: Response, refusals: number): number | null {
  if (refusals > maxRetries || (status !== 429 && status !== 503)) return null;
  if (status === 503 && (!headers.has("retry-after") || !isRepeatable(request))) return null;
  if (status === 503 && isHealth(request)) return null;
  const given = headers.get("retry-after") ?? "";
  const seconds = /^\d{1,6}$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 2 ** refusals;
}

/** Codes of Bun and Node for a connection that was there, and for one that could not be made. */
const lostConnection = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
const noConnection = new Set(["ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENOTFOUND", "EAI_AGAIN"]);

/**
 * Seconds; null where it is not to be sent again. A server that never accepted a connection fails at once, and
 * one that has never answered as Plinth does is given up soon.
 */
function delayAfterFailure(request: Request, failure: Failure, attempt: number, hasAnswered: boolean): number | null {
  if (!isRepeatable(request)) return null;
  const codes = codesOf(failure.cause);
  const wasThere = hasAnswered || attempt > 1;
  if (!codes.some((code) => lostConnection.has(code) || (wasThere && noConnection.has(code)))) return null;
  return delayWhileAway(attempt, hasAnswered);
}

function delayWhileAway(attempt: number, hasAnswered: boolean): number | null {
  return !hasAnswered && attempt > maxRetries ? null : Math.min(maxPause, 2 ** (attempt - 2));
}

function codesOf(error: unknown): string[] {
  const codes = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) codes.push(codeOf(at) ?? "");
  return codes;
}
