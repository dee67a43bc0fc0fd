// The one way an operation is done, whatever the surface: credential, rate, shape, scope, what is loaded and
// authorized, then the handler, in the order of docs/reference/contract.md §2. No surface has checks of its own.
import { AppError } from "@plinth/contract/errors";
import { successStatus, type Operation } from "@plinth/contract/operation";
import { registry, type OperationName } from "@plinth/contract/registry";
import { boundWait } from "@plinth/db/waiting";

import { authenticate, requireCredential } from "./access/authenticate.ts";
import { authorize, loadFor } from "./access/authorize.ts";
import type { Call } from "./access/call.ts";
import { grantIn, type Loaded } from "./access/load.ts";
import {
  isPerson,
  principalKey,
  type Anonymous,
  type Operator,
  type Person,
  type Principal,
} from "./access/principal.ts";
import type { ResourceRow } from "./access/resource.ts";
import { execute, isInTransaction } from "./execute.ts";
import { compileAhead } from "./compile-ahead.ts";
import type { Config } from "./config.ts";
import type { Context, Instance } from "./context.ts";
import { asAppError, noRoom } from "./failure.ts";
import { handlers, type AnyHandler } from "./handlers.ts";
import { checkInput, type Checked, type NamedOperation } from "./input.ts";
import { requireRules } from "./input-rules.ts";
import { requireAllowance } from "./rate-limit.ts";

export interface Answer {
  readonly operation: NamedOperation;
  readonly status: number;
  /** Stripped to the operation's output; of an operation with a media type of its own, what its handler made. */
  readonly value: unknown;
  readonly replayed: boolean;
  /** By whose right it was done. */
  readonly principal: Principal;
  /** What it was done on, as it was before. */
  readonly resource: ResourceRow;
}

/**
 * Does an operation for a caller. What is sent may be a refusal already, where a body could not even be read:
 * it is thrown when its turn comes.
 * @throws AppError for every refusal; anything else is a fault of ours
 */
export async function invoke(
  instance: Instance,
  call: Call,
  name: OperationName,
  sent: Checked | AppError,
): Promise<Answer> {
  return boundWait(() => doOperation(instance, call, name, sent));
}

async function doOperation(
  instance: Instance,
  call: Call,
  name: OperationName,
  sent: Checked | AppError,
): Promise<Answer> {
  const op: NamedOperation = registry[name];
  try {
    await present(instance, call, op);
    const input = sent instanceof AppError ? sent : checked(instance.config, op, sent);
    const askedAt = performance.now();
    const { caller, loaded } = await identify(instance, call, op, input instanceof AppError ? null : input);
    if (input instanceof AppError) throw input;
    const { principal, resource } = authorize(op, caller, loaded);
    // What is deleted may go: it makes room.
    if ((op.effect === "create" || op.effect === "update") && !instance.hasRoom()) throw noRoom();

    const context: Context = {
      ...instance,
      principal,
      grants: loaded.grants,
      call,
      plan: loaded.personalPlan,
      decided: { op, input, at: askedAt },
    };
    const handler = handlers[name] as AnyHandler;
    const ready = isInTransaction(call, op) ? await compileAhead(context, op, input, resource) : context;
    const done = await execute(ready, op, input, (inside) => handler(inside, input, resource));
    const { value, replayed, status = successStatus(op) } = done;
    if (op.effect !== "read") {
      instance.nudge();
      const { artifact } = loaded;
      if (artifact !== null && !replayed && !call.dryRun) instance.announce(artifact.artifactId);
    }
    return { operation: op, status, value, replayed, principal, resource };
  } catch (error) {
    throw asAppError(error);
  }
}

/**
 * What is said of a credential before anything is looked up; a refusal is counted.
 * @throws rate_limited, unauthenticated, not_found
 */
export async function present(instance: Instance, call: Presenting, op: Operation): Promise<void> {
  instance.credentialGate.requireRate(op, call);
  try {
    requireCredential(instance.config, op, call);
  } catch (error) {
    throw await instance.credentialGate.refused(call, error, false);
  }
}

type Presenting = Pick<Call, "credential" | "share" | "address" | "onAllowance">;

/**
 * Looks up who is asking, and what for, and counts the request: once for a call. Expects `present` to have passed; the
 * input is null where nothing can be read from it. @throws unauthenticated, token_expired, rate_limited
 */
export async function identify(
  instance: Instance,
  call: Call,
  op: Operation,
  input: Record<string, unknown> | null,
): Promise<Identified> {
  const { credentialGate } = instance;
  credentialGate.requireCurrent(op, call);
  const loaded = await loadFor(instance.load, op, call, input);
  let caller: Identified["caller"];
  try {
    caller = authenticate(op, call, loaded);
  } catch (error) {
    throw await credentialGate.refused(call, error, loaded.standing !== "unknown");
  }
  const isByLink = call.credential.kind === "none" && grantIn(loaded) !== null;
  if (caller.type !== "anonymous" || isByLink) credentialGate.accepted(call);
  call.onCaller?.(caller);
  if (call.isCounted) return { caller, loaded };
  const allowance = await instance.limiter.take(op.effect === "read" ? "reads" : "writes", principalKey(caller));
  if (allowance !== null) {
    call.onAllowance?.(allowance);
    requireAllowance(allowance);
  }
  if (isPerson(caller)) instance.usage.note(caller.credentialId);
  return { caller, loaded };
}

export interface Identified {
  readonly caller: Anonymous | Operator | Person;
  readonly loaded: Loaded;
}

/** The input, or what is wrong with it: said only when its turn comes. */
function checked(config: Config, op: NamedOperation, sent: Checked): Record<string, unknown> | AppError {
  try {
    checkInput(op, sent);
    requireRules(config, op.name, sent.input);
    return sent.input;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
