// One request to the MCP endpoint, for all code behind the protocol: the caller, its program, and the HTTP part of the
// response.
import { AppError } from "@plinth/contract/errors";
import { registry, type OperationName } from "@plinth/contract/registry";
import { isPerson, type Caller } from "@plinth/domain/access/principal";
import type { Instance } from "@plinth/domain/context";
import type { Call } from "@plinth/domain/access/call";
import type { Checked, NamedOperation } from "@plinth/domain/input";
import { invoke } from "@plinth/domain/request/invoke";
import { answerOf, type Answer, type Sender } from "@plinth/domain/request/outcome";
import { digestOf } from "@plinth/domain/request-digest";
import type { PackedText } from "@plinth/domain/storage/pack";

import { problemOf } from "../problem.ts";
import type { Learned } from "../request-meta.ts";
import { keyErrors } from "../rest.ts";
import type { PersonAsked } from "./public-consent.ts";

export interface Exchange {
  readonly instance: Instance;
  readonly call: Call;
  /** The protocol revision of the request, as `YYYY-MM-DD`. */
  readonly revision: string;
  /** The caller's `Idempotency-Key`. */
  readonly idempotencyKey: string | null;
  /** The calling program's own name for itself, from this message. */
  readonly program: string | undefined;
  /** Whether the body contains only tool calls. */
  readonly onlyCalls: boolean;
  /** Errors that also set a status and a challenge (RFC 6750), in order. */
  readonly refusals: AppError[];
  /** The tool calls, which continue after the client disconnects. */
  readonly calls: Promise<unknown>[];
  /** What each check of this request found out about its sender, in order. */
  readonly senders: Sender[];
  /** Facts about the request for the log. */
  readonly learned: Learned;
  /** The text of a single message, where it was packed as the message was parsed. */
  readonly packed: PackedText | undefined;
}

/** A tool call, with the identity by which a repeated write is recognized. */
export interface Attempted {
  readonly requestId: string | number;
  readonly sent: unknown;
  readonly person: PersonAsked;
  /** Tells the client how far the call is; undefined where it did not ask. */
  readonly report?: (progress: number, total: number, message: string) => Promise<void>;
}

/** Codes that clients act on by themselves when they come over HTTP. */
const challenged: ReadonlySet<string> = new Set(["unauthenticated", "token_expired"]);

/** The caller as the last check of the request found it. */
export const callerOf = ({ senders }: Pick<Exchange, "senders">): Caller | null =>
  senders.findLast(({ caller }) => caller !== null)?.caller ?? null;

/** Only a connected client can ask its person for more scopes; of another credential it is an error for the model. */
function isChallenged({ code }: AppError, caller: Caller | null): boolean {
  if (code !== "insufficient_scope") return challenged.has(code);
  return caller !== null && isPerson(caller) && caller.kind === "oauth";
}

/** Runs an operation for the caller; a write runs once even if it is sent again. @throws AppError */
export async function perform(
  exchange: Exchange,
  name: OperationName,
  sent: Checked,
  attempted?: Attempted,
): Promise<Answer> {
  const { instance, call, idempotencyKey, refusals, senders, learned, packed } = exchange;
  learned.operation ??= name;
  try {
    const { method, media }: NamedOperation = registry[name];
    const isKept = attempted !== undefined && method === "POST";
    const outcome = isKept
      ? await invoke(instance, { ...call, ...idempotencyOf(exchange, name, attempted) }, name, {
          ...sent,
          packed,
          errors: [...sent.errors, ...keyErrors(idempotencyKey)],
        })
      : await invoke(instance, call, name, { ...sent, packed });
    senders.push({ caller: outcome.caller, allowance: outcome.allowance });
    const answer = answerOf(outcome);
    if (isPerson(answer.principal)) instance.mcpUses.record(answer.principal.credentialId, exchange.program);
    // Reading content through a share link counts as a use of it.
    if (media === "source") instance.shareUses.record(answer.principal, call);
    return answer;
  } catch (error) {
    if (error instanceof AppError && (isChallenged(error, callerOf(exchange)) || isOfCredential(error, exchange)))
      refusals.push(error);
    throw error;
  }
}

/** Whether the IP address is refused because of its failed credentials, which is not an error of the tool. */
const isOfCredential = ({ code }: AppError, exchange: Exchange): boolean =>
  code === "rate_limited" && callerOf(exchange) === null;

/** The outcome that the operation would have, without writing. @throws AppError */
export const tryOut = ({ call, ...exchange }: Exchange, name: OperationName, sent: Checked): Promise<Answer> =>
  perform({ ...exchange, call: { ...call, dryRun: true } }, name, sent);

/** The same object as in REST (docs/reference/contract.md §2, "Errors"). */
export const problemIn = ({ instance, call }: Exchange, error: unknown) =>
  problemOf(error, call.requestId, instance.config.publicUrl).problem;

/** Within so many seconds, a request with the same number and the same content is a repetition. */
const retrySeconds = 30;
/** An identifier of so many characters is unique; programs that count start again with each connection. */
const uniqueFrom = 16;

/**
 * A write runs once even if the client sends it again (docs/reference/contract.md §2, "Idempotency-Key"). It is
 * recognized by the given key, or by the number of its request together with its whole content.
 */
function idempotencyOf(
  { idempotencyKey, packed }: Exchange,
  name: OperationName,
  { requestId, sent }: Attempted,
): Pick<Call, "idempotencyKey" | "idempotencySeconds"> {
  const isUnique = idempotencyKey !== null || (typeof requestId === "string" && requestId.length >= uniqueFrom);
  const identity = idempotencyKey === null ? [name, requestId, sent] : [name, idempotencyKey];
  return {
    idempotencyKey: `mcp:${digestOf(identity, packed).toString("hex")}`,
    ...(!isUnique && { idempotencySeconds: retrySeconds }),
  };
}
