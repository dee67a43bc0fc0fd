// A request as its stages get it: the operation and its input, the call, and the instance that is asked.
import type { Call } from "../access/call.ts";
import type { Instance } from "../context.ts";
import type { Checked, NamedOperation } from "../input.ts";

export interface OperationRequest {
  readonly instance: Instance;
  readonly call: Call;
  readonly op: NamedOperation;
  /** Valid from the stage of the input on. */
  readonly sent: Checked;
}
