// Stage 3, the input: looked at before anything is looked up, because only a valid one names what to load. Its refusal is
// answered after those of the credential and the rate.
import type { AppError } from "@plinth/contract/errors";
import { boundWait } from "@plinth/db/waiting";

import type { Call } from "../access/call.ts";
import type { Config } from "../config.ts";
import type { Instance } from "../context.ts";
import { inputRefusal, type Checked, type NamedOperation } from "../input.ts";
import { ruleRefusal } from "../input-rules.ts";
import { identify } from "./identify.ts";
import { unknownSender, type Refused, type Sender } from "./outcome.ts";

/** The refusal of an input; null where it is valid. */
export const wrongInput = (config: Config, op: NamedOperation, sent: Checked): AppError | null =>
  inputRefusal(op, sent) ?? ruleRefusal(config, op.name, sent.input);

/** Refuses a request whose body can't be read, after the checks that come before the input's. */
export const refuse = (
  instance: Instance,
  call: Call,
  op: NamedOperation,
  error: AppError,
  counted: Sender = unknownSender,
): Promise<Refused> => boundWait(async () => ({ error, ...(await identify(instance, call, op, null, counted)) }));
