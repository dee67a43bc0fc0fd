// The one way to perform an operation, on every surface: the stages of a request in their order
// (docs/reference/contract.md §2, "Order of checks"). Read this first. No surface has its own checks.
import { statusOf } from "@plinth/contract/operation";
import { registry, type OperationName } from "@plinth/contract/registry";
import { boundWait } from "@plinth/db/waiting";

import type { Call } from "../access/call.ts";
import type { Instance } from "../context.ts";
import { asAppError } from "../failure.ts";
import type { Checked } from "../input.ts";
import { sentText, type SourceText } from "../storage/source-text.ts";
import type { Asked } from "./asked.ts";
import { contextOf, decide } from "./authorize.ts";
import { refuseCredential } from "./credential.ts";
import { execute } from "./execute.ts";
import { memoryOf } from "./from-memory.ts";
import { identify } from "./identify.ts";
import { wrongInput } from "./input.ts";
import { unknownSender, type Answer, type Identified, type Outcome, type Sender } from "./outcome.ts";
import { prepare } from "./prepare.ts";
import { publishChange, publishDoubt } from "./publish-change.ts";
import { requireRoom } from "./room.ts";
import { recordView } from "./views.ts";

/** Performs an operation. A sender that `identify` has identified before is not counted again. */
export const invoke = (
  instance: Instance,
  call: Call,
  name: OperationName,
  sent: Checked,
  counted: Sender = unknownSender,
): Promise<Outcome> => boundWait(() => perform({ instance, call, op: registry[name], sent }, counted));

async function perform(asked: Asked, counted: Sender): Promise<Outcome> {
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
async function answerTo(asked: Asked, text: SourceText | null, identified: Identified): Promise<Answer> {
  const { op, sent } = asked;
  const authorized = decide(asked, identified);
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
