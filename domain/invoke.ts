// The one way to perform an operation, on every surface: credential, rate, input, scope, load and authorize, then the
// handler, in the order of docs/reference/contract.md §2. No surface has its own checks.
import { AppError } from "@plinth/contract/errors";
import { statusOf, type Operation } from "@plinth/contract/operation";
import { registry, type OperationName, type Output } from "@plinth/contract/registry";
import { boundWait } from "@plinth/db/waiting";

import { authenticate, credentialRefusal } from "./access/authenticate.ts";
import { authorize, loadFor, type Authorized } from "./access/authorize.ts";
import type { Call } from "./access/call.ts";
import type { Presented } from "./access/credential-gate.ts";
import { grantIn, type LeasedRow, type Loaded } from "./access/load.ts";
import { isPerson, principalKey, type Caller } from "./access/principal.ts";
import type { ArtifactRow, LoadedFiles, LoadedVersion } from "./access/resource.ts";
import type { Context, Instance } from "./context.ts";
import { execute } from "./execute.ts";
import { asAppError, noRoom } from "./failure.ts";
import { leasedChange } from "./leased-changes.ts";
import { inputRefusal, type Checked, type NamedOperation } from "./input.ts";
import { ruleRefusal } from "./input-rules.ts";
import { prepare } from "./prepare.ts";
import { isMadeOfRows, sharedRead } from "./shared-reads.ts";
import { rateRefusal, type Allowance, type Budget } from "./rate-limit.ts";
import { sentText, type SourceText } from "./storage/source-text.ts";

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
}

export type Outcome = Answered | Refused;

/** @throws AppError for a refusal; any other error is a fault of ours */
export function answerOf(outcome: Outcome): Answer {
  if ("error" in outcome) throw outcome.error;
  return outcome.answer;
}

/** Performs an operation. A sender that `identify` has identified before is not counted again. */
export const invoke = (
  instance: Instance,
  call: Call,
  name: OperationName,
  sent: Checked,
  counted: Sender = unknownSender,
): Promise<Outcome> => boundWait(() => invokeBounded(instance, call, registry[name], sent, counted));

async function invokeBounded(
  instance: Instance,
  call: Call,
  op: NamedOperation,
  sent: Checked,
  counted: Sender,
): Promise<Outcome> {
  let sender = counted;
  try {
    const refused = await refuseCredential(instance, call, op);
    if (refused !== null) return refused;
    // Only a valid input can be read, but its error comes after those of the credential and the rate.
    const wrongInput = inputRefusal(op, sent) ?? ruleRefusal(instance.config, op.name, sent.input);
    const askedAt = performance.now();
    const identifying = identify(instance, call, op, wrongInput === null ? sent.input : null, counted);
    const text = wrongInput === null ? sentText(sent.input, sent.packed) : null;
    const identified = await identifying;
    sender = identified;
    if ("error" in identified) return identified;
    if (wrongInput !== null) throw wrongInput;
    const { caller, allowance } = identified;
    const answer = await perform(instance, call, op, sent, { ...identified, askedAt, text });
    if (call.isPageView === true) recordView(instance, answer, sent.input);
    return { caller, allowance, answer };
  } catch (error) {
    return { caller: sender.caller, allowance: sender.allowance, error: asAppError(error) };
  }
}

/** Refuses a request whose body can't be read, after the checks that come before the input's. */
export const refuse = (
  instance: Instance,
  call: Call,
  op: NamedOperation,
  error: AppError,
  counted: Sender,
): Promise<Refused> => boundWait(async () => ({ error, ...(await identify(instance, call, op, null, counted)) }));

interface Decidable extends Identified {
  /** When the caller's rows were asked for. */
  readonly askedAt: number;
  /** The text of the input. */
  readonly text: SourceText | null;
}

/** Authorizes the operation and runs its handler. @throws AppError for a refusal */
async function perform(
  instance: Instance,
  call: Call,
  op: NamedOperation,
  sent: Checked,
  { caller, loaded, askedAt, text }: Decidable,
): Promise<Answer> {
  const { input } = sent;
  const authorized = authorize(op, caller, loaded);
  const { principal, resource } = authorized;
  const leased = isMadeOfRows(op, input, loaded) ? (instance.publicRows?.leasedFor(loaded) ?? null) : null;
  const shared = sharedRead(op, input, authorized, loaded);
  if (shared?.found !== undefined)
    return {
      operation: op,
      status: statusOf(op, shared.found),
      value: shared.found,
      replayed: false,
      leased,
      principal,
      resource,
    };
  // A deletion makes room.
  if ((op.effect === "create" || op.effect === "update") && !instance.hasRoom()) throw noRoom();

  const context: Context = {
    ...instance,
    principal,
    grants: loaded.grants,
    call,
    plan: loaded.personalPlan,
    decided: { op, input, at: askedAt },
  };
  const run = await prepare(context, op, input, resource, text);
  const isTried = call.dryRun === true && op.dryRun;
  const tell = async (changed: unknown) => instance.leases?.tell(leasedChange(op.name, resource, changed));
  const executed = await execute(context, op, sent, run).catch((error) => {
    // A write whose connection was lost may be committed. Its caller is not told that it is, and does not wait.
    if (!isTried && !(error instanceof AppError)) void tell(null);
    throw error;
  });
  const { value, replayed, status = statusOf(op, executed.value) } = executed;
  shared?.keep(value);
  if (op.effect !== "read") {
    instance.wakeRelay();
    // A replay too: the first answer may have been lost with its process.
    if (!isTried) await tell(value);
    if (loaded.artifact !== null && !replayed && !call.dryRun) instance.publishChange(loaded.artifact.artifactId);
  }
  return { operation: op, status, value, replayed, leased, principal, resource };
}

/** Refuses a credential without a look-up, and counts the refusal; null where the credential may be looked up. */
export async function refuseCredential(instance: Instance, call: Presented, op: Operation): Promise<Refused | null> {
  const { config, credentialGate } = instance;
  const tooMany = credentialGate.rateRefusal(op, call);
  if (tooMany !== null) return { ...unknownSender, error: tooMany };
  const refusal = credentialRefusal(config, op, call);
  return refusal === null ? null : { caller: null, ...(await credentialGate.refused(call, refusal, false)) };
}

function recordView({ pageViews, recents }: Instance, answer: Answer, input: Record<string, unknown>): void {
  const artifact = answer.operation.name === "artifact.ticket" ? viewedVersion(answer, input) : viewedArtifact(answer);
  if (artifact === null) return;
  pageViews.record(answer.principal, artifact);
  recents.record(answer.principal, artifact);
}

/** The artifact whose page shows the answer; null for a former address, whose page redirects and is counted at the present one. */
export function viewedArtifact({ operation, resource, value }: Answer): ArtifactRow | null {
  if (operation.name !== "artifact.getByPath" || (value as Output<"artifact.getByPath">).movedTo !== undefined)
    return null;
  return (resource as LoadedFiles).artifact;
}

/** The artifact that the page at its address shows in one version; the answer is only for a version that is there. */
function viewedVersion({ resource }: Answer, { artifactId: named }: Record<string, unknown>): ArtifactRow | null {
  const { artifact } = resource as LoadedVersion;
  return named === `${artifact.ownerUsername}/${artifact.projectSlug}/${artifact.slug}` ? artifact : null;
}

/** What a call is counted as. */
export const budgetOf = ({ effect, takes, media }: Operation): Budget =>
  takes === "file" || media === "file" ? "files" : effect === "read" ? "reads" : "writes";

/**
 * Loads the caller and the resource, and counts the request, except for a sender that was counted before. Expects
 * that `refuseCredential` found nothing; the input is null where it can't be read.
 */
export async function identify(
  instance: Instance,
  call: Call,
  op: Operation,
  input: Record<string, unknown> | null,
  counted: Sender = unknownSender,
): Promise<Identified | Refused> {
  const { credentialGate, limiter, usage } = instance;
  const ended = credentialGate.endedRefusal(op, call);
  if (ended !== null) return { ...counted, error: ended };
  const loaded = await loadFor(instance.load, op, call, input);
  let caller: Caller;
  try {
    caller = authenticate(op, call, loaded);
  } catch (error) {
    const refused = await credentialGate.refused(call, error, loaded.standing !== "unknown");
    return { caller: counted.caller, error: refused.error, allowance: refused.allowance ?? counted.allowance };
  }
  const isByLink = call.credential.kind === "none" && grantIn(loaded) !== null;
  if (caller.type !== "anonymous" || isByLink) credentialGate.accepted(call);
  if (counted.caller !== null) return { caller, loaded, allowance: counted.allowance };
  const allowance = await limiter.take(budgetOf(op), principalKey(caller));
  const exceeded = allowance === null ? null : rateRefusal(allowance);
  if (exceeded !== null) return { caller, allowance, error: exceeded };
  if (isPerson(caller)) usage.record(caller.credentialId);
  return { caller, loaded, allowance };
}
