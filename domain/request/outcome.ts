// The outcome of a request: an answer or a refusal, and the sender as far as it is known.
import type { Authorized } from "../access/authorize.ts";
import type { LeasedRow, Loaded } from "../access/load.ts";
import type { Caller } from "../access/principal.ts";
import type { Context } from "../context.ts";
import type { NamedOperation } from "../input.ts";
import type { Allowance } from "../rate-limit.ts";

export interface Answer extends Authorized {
  readonly operation: NamedOperation;
  readonly status: number;
  /** Stripped to the operation's output; with a media type, the result of the handler. */
  readonly value: unknown;
  readonly replayed: boolean;
  /** The row in memory that the value is made of, and of the input alone; null where it is made of more. */
  readonly leased: LeasedRow | null;
}

/** The sender of a request, as far as it is known when the request ends. */
export interface Sender {
  /** Null where the caller was not identified. */
  readonly caller: Caller | null;
  /** The rest of the rate limit that the request was counted in; null where it was not counted. */
  readonly allowance: Allowance | null;
}

export const unknownSender: Sender = { caller: null, allowance: null };

/** An AppError is a refusal; any other error is a fault of ours. */
export interface Refused extends Sender {
  readonly error: unknown;
}

export interface Answered extends Sender {
  readonly answer: Answer;
}

export interface Identified extends Sender {
  readonly caller: Caller;
  readonly loaded: Loaded;
  /** When the caller's rows were asked for (`performance.now`). */
  readonly askedAt: number;
}

export type Outcome = Answered | Refused;

/** @throws AppError for a refusal; any other error is a fault of ours */
export function answerOf(outcome: Outcome): Answer {
  if ("error" in outcome) throw outcome.error;
  return outcome.answer;
}

/** The handler for one input. */
export type Run = (context: Context) => Promise<unknown>;

export interface Executed {
  readonly value: unknown;
  readonly replayed: boolean;
  /** Set where it is not the operation's status. */
  readonly status?: number;
}
