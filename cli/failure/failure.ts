// Every way a command can fail, and the exit code of each (the table is in `exitCodes`). Knows nothing of
// how a failure is printed.
import { errorCodes, type ErrorCode, type ErrorExtra, type FieldError } from "@plinth/contract/errors";

export const exitCodes = {
  0: "done, or nothing to do",
  1: "internal, or some files failed",
  2: "usage: nothing was sent",
  3: "not found",
  4: "not authenticated",
  5: "forbidden",
  6: "conflict",
  7: "rejected (400, 413)",
  8: "rate limited",
  9: "unavailable",
  10: "input needed under --no-input",
  130: "interrupted",
} as const;

/** Failures of the client itself; they never come from the server. */
const ownCodes = {
  usage: { exitCode: 2, title: "The command line is not valid" },
  confirmation_needed: { exitCode: 2, title: "This needs --yes" },
  partial_failure: { exitCode: 1, title: "Some files failed" },
  input_needed: { exitCode: 10, title: "Input is needed" },
  interrupted: { exitCode: 130, title: "Interrupted" },
} as const;
type OwnCode = keyof typeof ownCodes;
export type FailureCode = ErrorCode | OwnCode;

/** Every code an error object can carry. */
export const failureCodes = [...Object.keys(errorCodes), ...Object.keys(ownCodes)] as readonly FailureCode[];

/** A problem of the server whole, or one of the client's own in the same form (without status and request). */
interface FailureProblem extends ErrorExtra {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly code: FailureCode;
  readonly status?: number;
  readonly requestId?: string;
}

/** Ends a command: what went wrong, whether trying again may help, and the command to run next. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly problem: FailureProblem;
  readonly exitCode: number;
  readonly retryable: boolean;
  readonly next: string | null;

  /** By its name: files beside the npm package's script have a copy of this class (scripts/build-cli.ts). */
  static override [Symbol.hasInstance](value: unknown): value is Failure {
    return value instanceof Error && value.name === "Failure";
  }

  constructor(problem: FailureProblem, next: string | null = null, cause?: unknown, isLasting = false) {
    super(problem.detail, cause === undefined ? undefined : { cause });
    this.problem = problem;
    this.exitCode = exitCodeOf(problem);
    this.retryable = !isLasting && isRetryable(problem.code);
    this.next = next;
  }
}

const retryableCodes = new Set<FailureCode>(["rate_limited", "busy", "unavailable", "identity_unavailable"]);

/** Whether the same line may succeed a while later. */
export const isRetryable = (code: FailureCode): boolean => retryableCodes.has(code);

interface Remedy {
  readonly hint?: string;
  readonly next?: string | null;
  readonly errors?: readonly FieldError[];
  readonly cause?: unknown;
  /** Trying again can't help, although its code often means that it can. */
  readonly isLasting?: boolean;
}

/** A failure of the client's own. */
export function ownFailure(code: OwnCode, detail: string, remedy: Remedy = {}): Failure {
  return new Failure(describe(code, ownCodes[code].title, detail, remedy), remedy.next, remedy.cause);
}

/** The line cannot be run as it stands; nothing was sent. */
export const usage = (detail: string, remedy: Remedy = {}): Failure => ownFailure("usage", detail, remedy);

/** A failure the client met before or instead of the server, under the server's own code for it. */
export function clientFailure(code: ErrorCode, detail: string, remedy: Remedy = {}): Failure {
  const problem = describe(code, errorCodes[code].title, detail, remedy);
  return new Failure(problem, remedy.next, remedy.cause, remedy.isLasting);
}

function describe(code: FailureCode, title: string, detail: string, { hint, errors }: Remedy): FailureProblem {
  return {
    type: "about:blank",
    title,
    detail: bounded(detail),
    code,
    ...(hint && { hint }),
    ...(errors && { errors }),
  };
}

/** A line may hold words of any length, and what is said of them must not fill a screen. */
const bounded = (text: string): string =>
  text.length <= longestDetail ? text : `${text.slice(0, longestDetail / 2)}…${text.slice(-longestDetail / 2)}`;

/** UTF-16 units. */
const longestDetail = 600;

const byStatus: Readonly<Record<number, number>> = {
  401: 4,
  403: 5,
  404: 3,
  409: 6,
  429: 8,
  502: 9,
  503: 9,
  504: 9,
};

/** The exit code of a problem: by its status, or by the client's own table. */
export function exitCodeOf({ code, status }: Pick<FailureProblem, "code" | "status">): number {
  if (Object.hasOwn(ownCodes, code)) return ownCodes[code as OwnCode].exitCode;
  const answered = status ?? errorCodes[code as ErrorCode].status;
  return byStatus[answered] ?? (answered >= 400 && answered < 500 ? 7 : 1);
}
