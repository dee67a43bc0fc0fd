// The error codes that an operation may answer with. This is data: the domain decides when each is thrown.
import type { ErrorCode } from "./errors.ts";
import type { Operation } from "./operation.ts";

/** The codes that any of the operations may answer with, each once. */
export const errorsOf = (...ops: readonly Operation[]): ErrorCode[] => [...new Set(ops.flatMap(errorsOfOne))];

/** Those of any operation, together with those that the operation itself lists. */
function errorsOfOne(op: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(["invalid_request", "rate_limited", "unavailable", ...op.errors]);
  // A caller without an operator token must not learn that the operator's routes exist, nor that its token is wrong.
  if (op.caller !== "operator") codes.add("unauthenticated");
  if (op.scope !== null || op.credential === "login") codes.add("insufficient_scope");
  if (op.credential !== undefined) codes.add("forbidden");
  if (op.resource !== null || op.caller === "operator") codes.add("not_found");
  if (op.method === "POST") codes.add("idempotency_conflict");
  return [...codes];
}
