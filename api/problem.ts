// Error answers: problem+json for every refusal (contract 2, "Errors"), and for a fault of ours one that says
// nothing but where to find it in the log.
import { AppError, toProblem } from "@plinth/contract/errors";

import { logFault } from "./log.ts";

/** The answer to whatever was thrown. */
export function problemResponse(error: unknown, requestId: string, publicUrl: string): Response {
  if (!(error instanceof AppError)) logFault(error, requestId);
  else if (error.status >= 500) logFault(error.cause ?? error, requestId);
  const refusal =
    error instanceof AppError
      ? error
      : new AppError("internal", "The fault is ours, and it has been written down", {
          hint: "Try again; if it stays, tell the operator this request's identifier",
        });
  const headers = new Headers({
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
  });
  const challenge = challengeOf(refusal);
  if (challenge !== null) headers.set("www-authenticate", challenge);
  const { retryAfterSeconds } = refusal.extra;
  if (typeof retryAfterSeconds === "number") headers.set("retry-after", String(retryAfterSeconds));
  return new Response(JSON.stringify(toProblem(refusal, requestId, publicUrl)), { status: refusal.status, headers });
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
