// The one way to perform an operation, on every surface: the stages of a request in their order
// (docs/reference/contract.md §2, "Order of checks"). Read this first. No surface has its own checks.
import { statusOf } from "@plinth/contract/operation";
import { registry, type OperationName } from "@plinth/contract/registry";
import { boundWait } from "@plinth/db/waiting";
import { createObjectCache } from "@plinth/platform/caches";

import type { Call } from "../access/call.ts";
import type { Context, Instance } from "../context.ts";
import { asAppError, noRoom } from "../failure.ts";
import type { Checked } from "../input.ts";
import { sentText, type SourceText } from "../storage/source-text.ts";
import type { OperationRequest } from "./operation-request.ts";
import { refuseCredential } from "./credential.ts";
import { execute } from "./execute.ts";
import { identify } from "./identify.ts";
import { wrongInput } from "./input.ts";
import { type Answer, type Identified, type Outcome, type Sender, unknownSender } from "./outcome.ts";
import { prepare } from "./prepare.ts";
import { publishChange, publishDoubt } from "./publish-change.ts";
import { recordView } from "./views.ts";
import { authorize, type Authorized } from "../access/authorize.ts";
import type { LeasedRow, Loaded } from "../access/load.ts";
import type { ArtifactRow } from "../access/resource.ts";

/** Performs an operation. A sender that `identify` has identified before is not counted again. */
export const invoke = (
  instance: Instance,
  call: Call,
  name: OperationName,
  sent: Checked,
  counted: Sender = unknownSender,
): Promise<Outcome> => boundWait(() => perform({ instance, call, op: registry[name], sent }, counted));

async function perform(asked: OperationRequest, counted: Sender): Promise<Outcome> {
  const { instance, call, op, sent } = asked;
  let sender = counted;
  try {
    const refused = await refuseCredential(instance, call, op);
    if (refused !== null) return refused;
    const wrong = wrongInput(instance.config, op, sent);
    const identifying = identify(instance, call, op, wrong === null ? sent.input : null, counted);
    // A short text is packed while the database looks up its caller.
    const text = wrong === null ? sentText(sent) : null;
    const identified = await identifying;
    sender = identified;
    if ("error" in identified) return identified;
    if (wrong !== null) throw wrong;
    const answer = await answerTo(asked, text, identified);
    recordView(asked, answer);
    return { caller: identified.caller, allowance: identified.allowance, answer };
  } catch (error) {
    return { caller: sender.caller, allowance: sender.allowance, error: asAppError(error) };
  }
}

/** The stages from authorization on, for a known caller and a valid input. @throws AppError for a refusal */
async function answerTo(asked: OperationRequest, text: SourceText | null, identified: Identified): Promise<Answer> {
  const { op, sent } = asked;
  const authorized = authorize(op, identified.caller, identified.loaded);
  const memory = memoryOf(asked, identified.loaded, authorized);
  const { leased, found } = memory;
  if (found !== undefined)
    return { operation: op, status: statusOf(op, found), value: found, replayed: false, leased, ...authorized };
  requireRoom(asked);
  const context = contextOf(asked, identified, authorized);
  const run = await prepare(context, asked, authorized.resource, text);
  const executed = await execute(context, op, sent, run).catch((error) => {
    publishDoubt(asked, authorized, error);
    throw error;
  });
  const { value, replayed, status = statusOf(op, value) } = executed;
  memory.keep?.(value);
  await publishChange(asked, identified, authorized, executed);
  return { operation: op, status, value, replayed, leased, ...authorized };
}

// The stage that answers from memory. Requests of the same moment share what is loaded (access/load.ts), and so the result of a
// read that is made of it and of the input alone.
interface Memory {
  /** The row in memory that the result is made of, and of the input alone. */
  readonly leased: LeasedRow | null;
  /** The result for all who send this input while the loaded rows are the same; undefined where none is kept. */
  readonly found?: unknown;
  /** Keeps the result for the next of them. */
  readonly keep?: (value: unknown) => void;
}

const nothing: Memory = { leased: null };

interface Shared {
  readonly input: string;
  readonly value: unknown;
}

/** The last result of each operation for what was loaded. It lives as long as that. */
const shared = createObjectCache<Loaded, Map<string, Shared>>("sharedResults");

function memoryOf(
  { instance: { publicRows }, op, sent: { input } }: OperationRequest,
  loaded: Loaded,
  { principal }: Authorized,
): Memory {
  if (!isMadeOfRows(op, input, loaded)) return nothing;
  const leased = publicRows?.leasedFor(loaded) ?? null;
  // The source of a version is a new object each time, with its bytes from the cache.
  if (principal.type !== "anonymous" || loaded.grants.length > 0 || op.media !== undefined) return { leased };
  const sent = JSON.stringify(input);
  const last = shared.get(loaded)?.get(op.name);
  return {
    leased,
    found: last?.input === sent ? last.value : undefined,
    keep(value) {
      const ofLoaded = shared.get(loaded) ?? new Map<string, Shared>();
      shared.set(loaded, ofLoaded.set(op.name, { input: sent, value }));
    },
  };
}

/** Whether the result depends on the loaded rows and the input alone, for a caller without any credential. */
function isMadeOfRows({ name }: OperationRequest["op"], input: Record<string, unknown>, { artifact }: Loaded): boolean {
  if (name === "artifact.get" || name === "version.content" || name === "version.file") return true;
  if (name !== "artifact.getByPath") return false;
  // Neighbours and packages are read beside it.
  const { sourcePath, type } = artifact as ArtifactRow;
  return (input["withNeighbours"] !== true || sourcePath === null) && (input["withPackages"] !== true || type === "md");
}

/** A deletion makes room. @throws unavailable */
function requireRoom({ instance, op: { effect } }: OperationRequest): void {
  if ((effect === "create" || effect === "update") && !instance.hasRoom()) throw noRoom();
}

const contextOf = (
  { instance, call, op, sent: { input } }: OperationRequest,
  { loaded, askedAt }: Identified,
  { principal }: Authorized,
): Context => ({
  ...instance,
  principal,
  grants: loaded.grants,
  call,
  plan: loaded.personalPlan,
  decided: { op, input, at: askedAt },
});
