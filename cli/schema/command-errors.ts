// How a command can fail: its operation's codes, and the client's own. Says nothing of when.
import { errorsOf } from "@plinth/contract/operation-errors";

import type { Command } from "../command/command.ts";
import { exitCodeOf, type FailureCode } from "../failure/failure.ts";

/** The codes a command's error object can carry, in the order of their exit codes. */
export function errorsOfCommand({ operation, errors = [], confirm, stdin }: Command): FailureCode[] {
  const codes = new Set<FailureCode>(["usage", "internal", "interrupted", ...errors]);
  if (operation !== null) {
    for (const code of errorsOf(operation)) codes.add(code);
    // The operator's token is missed by the client: the server says only that nothing is there.
    codes.add("unauthenticated");
  }
  // Nor does it say that another's token is past its time.
  if (codes.has("unauthenticated") && operation?.caller !== "operator") codes.add("token_expired");
  // A token may be read from standard input (--token-stdin), and nobody is asked under --no-input.
  if (operation !== null || stdin !== null) codes.add("input_needed");
  if (confirm) codes.add("confirmation_needed");
  return [...codes].toSorted((a, b) => exitCodeOf({ code: a }) - exitCodeOf({ code: b }));
}

/** The exit codes a command can end with; 0 first. */
export const exitCodesOf = (codes: readonly FailureCode[]): number[] => [
  ...new Set([0, ...codes.map((code) => exitCodeOf({ code }))]),
];
