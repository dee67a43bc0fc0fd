// One request to the MCP endpoint, as everything behind the protocol sees it: who asks, through which program, and what
// of it HTTP itself has to say.
import { AppError } from "@plinth/contract/errors";
import { registry, type OperationName } from "@plinth/contract/registry";
import { isPerson } from "@plinth/domain/access/principal";
import type { Instance } from "@plinth/domain/context";
import type { Call } from "@plinth/domain/access/call";
import type { Checked, NamedOperation } from "@plinth/domain/input";
import { invoke, type Answer } from "@plinth/domain/invoke";

import { problemOf } from "../problem.ts";
import { keyErrors } from "../rest.ts";

export interface Exchange {
  readonly instance: Instance;
  readonly call: Call;
  /** Revision of the protocol that is spoken, as `YYYY-MM-DD`. */
  readonly revision: string;
  /** What the caller sent as `Idempotency-Key`. */
  readonly idempotencyKey: string | null;
  /** What the program that asks calls itself in this very message. */
  readonly program: string | undefined;
  /** Whether it is nothing but calls of tools. */
  readonly onlyCalls: boolean;
  /** Refusals that are answered by a status and a challenge as well (RFC 6750), as they came. */
  readonly refusals: AppError[];
  /** The calls of tools, which go on where the client has hung up. */
  readonly calls: Promise<unknown>[];
  /** Whether the credential was looked up and is good. */
  isKnown(): boolean;
}

/** A call of a tool: what its writes are known by, should the client send it again. */
export interface Attempted {
  readonly requestId: string | number;
  readonly sent: unknown;
}

/** Codes that OAuth clients act on by themselves, where HTTP says them. */
const challenged: ReadonlySet<string> = new Set(["unauthenticated", "token_expired", "insufficient_scope"]);

/** Does an operation for the caller; of a write, no more than once where it is sent again. @throws AppError */
export async function perform(
  exchange: Exchange,
  name: OperationName,
  sent: Checked,
  attempted?: Attempted,
): Promise<Answer> {
  const { instance, call, idempotencyKey, refusals } = exchange;
  try {
    const { method, media }: NamedOperation = registry[name];
    const isKept = attempted !== undefined && method === "POST";
    const answer = isKept
      ? await invoke(instance, { ...call, ...idempotencyOf(idempotencyKey, name, attempted) }, name, {
          ...sent,
          errors: [...sent.errors, ...keyErrors(idempotencyKey)],
        })
      : await invoke(instance, call, name, sent);
    if (isPerson(answer.principal)) instance.mcpUses.note(answer.principal.credentialId, exchange.program);
    // Whoever reads by the right of a share link has used it.
    if (media === "source") instance.shareUses.note(answer.principal, call);
    return answer;
  } catch (error) {
    if (error instanceof AppError && (challenged.has(error.code) || isOfCredential(error, exchange)))
      refusals.push(error);
    throw error;
  }
}

/** Whether the address is refused for the credentials that came from it, which no tool has to say. */
const isOfCredential = ({ code }: AppError, exchange: Exchange): boolean =>
  code === "rate_limited" && !exchange.isKnown();

/** The same object as REST answers (docs/reference/contract.md §2, "Errors"). */
export const problemIn = ({ instance, call }: Exchange, error: unknown) =>
  problemOf(error, call.requestId, instance.config.publicUrl).problem;

/** Seconds within which a request under the same number, the same in every letter, is the same request once more. */
const retrySeconds = 30;
/** Characters from which an identifier is nobody else's: programs that count begin anew with each connection. */
const uniqueFrom = 16;

/**
 * A write is done once where the client sends it again (docs/reference/contract.md §2, "Idempotency-Key"): told by the
 * key it names, or by the number of its request together with all that is in it.
 */
function idempotencyOf(
  idempotencyKey: string | null,
  name: OperationName,
  { requestId, sent }: Attempted,
): Pick<Call, "idempotencyKey" | "idempotencySeconds"> {
  const isUnique = idempotencyKey !== null || (typeof requestId === "string" && requestId.length >= uniqueFrom);
  const told = idempotencyKey === null ? [name, requestId, sent] : [name, idempotencyKey];
  return {
    idempotencyKey: `mcp:${new Bun.CryptoHasher("sha256").update(JSON.stringify(told)).digest("hex")}`,
    ...(!isUnique && { idempotencySeconds: retrySeconds }),
  };
}
