// Which error codes an operation may answer with. Data only: when each comes is the domain's.
import type { ErrorCode } from "./errors.ts";
import type { Operation } from "./operation.ts";

/** The codes any operation may answer with, beside those it names itself. */
export function errorsOf(op: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(["invalid_request", "rate_limited", "unavailable", ...op.errors]);
  // Whoever has no operator token learns nothing of the operator's routes, not even that theirs is bad.
  if (op.caller !== "operator") codes.add("unauthenticated");
  if (op.scope !== null || op.credential === "login") codes.add("insufficient_scope");
  if (op.credential !== undefined) codes.add("forbidden");
  if (op.resource !== null || op.caller === "operator") codes.add("not_found");
  if (op.method === "POST") codes.add("idempotency_conflict");
  return [...codes];
}
