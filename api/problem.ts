// Error responses: problem+json for every error (docs/reference/contract.md §2, "Errors"). A server fault only has the
// identifier by which to find it in the log.
import { AppError, toProblem, type ErrorCode } from "@plinth/contract/errors";
import { logTrouble } from "@plinth/domain/database-trouble";
import { asAppError, DatabaseUnavailable } from "@plinth/domain/failure";

import { logFault } from "./log.ts";

/** The problem of any thrown value; a server fault is logged. */
export function problemOf(error: unknown, requestId: string, publicUrl: string) {
  const refusal = refusalOf(asAppError(error), requestId);
  return {
    refusal,
    problem: toProblem(refusal, requestId, publicUrl),
    retryAfterSeconds: retryAfterOf(refusal),
  };
}

/** Seconds until the caller may retry; null where that is unknown. */
export function retryAfterOf({ extra: { retryAfterSeconds } }: AppError): number | null {
  return typeof retryAfterSeconds === "number" ? retryAfterSeconds : null;
}

function refusalOf(error: unknown, requestId: string): AppError {
  if (!(error instanceof AppError)) logFault(error, requestId);
  else if (error instanceof DatabaseUnavailable) logTrouble(error.trouble, error.cause ?? error, requestId);
  else if (isFault(error)) logFault(error.cause ?? error, requestId);
  if (error instanceof AppError) return error;
  return new AppError("internal", "The fault is ours, and it has been written down", {
    hint: "Try again; if it keeps failing, tell the operator this request's identifier",
  });
}

/** Each 5xx that can be no fault: the instance sells no plans, has too much to compile, or lacks the format. */
const withoutFault: ReadonlySet<string> = new Set<ErrorCode>(["billing_unavailable", "busy", "not_implemented"]);

/** All other 5xx have a cause. */
const isFault = ({ status, code, cause }: AppError): boolean =>
  status >= 500 && (!withoutFault.has(code) || cause !== undefined);

/** The response to any thrown value. */
export function problemResponse(error: unknown, requestId: string, publicUrl: string): Response {
  const { refusal, problem, retryAfterSeconds } = problemOf(error, requestId, publicUrl);
  const headers = new Headers({
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
  });
  const body = JSON.stringify(problem);
  headers.set("content-length", String(Buffer.byteLength(body)));
  const challenge = challengeOf(refusal);
  if (challenge !== null) headers.set("www-authenticate", challenge);
  if (retryAfterSeconds !== null) headers.set("retry-after", String(retryAfterSeconds));
  return new Response(body, { status: refusal.status, headers });
}

function challengeOf({ code, extra }: AppError): string | null {
  switch (code) {
    case "unauthenticated":
      return 'Bearer realm="plinth"';
    case "token_expired":
      return 'Bearer realm="plinth", error="invalid_token"';
    case "insufficient_scope":
      return `Bearer realm="plinth", error="insufficient_scope", scope="${String(extra["requiredScope"])}"`;
    default:
      return null;
  }
}
