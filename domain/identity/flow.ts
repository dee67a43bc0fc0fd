// Collects facts while better-auth answers one request: why it refused, and whom it signed in. The library has no place
// for either.
import { AsyncLocalStorage } from "node:async_hooks";

import type { SignInError } from "@plinth/contract/sign-in-errors";

export interface Flow {
  readonly requestId: string;
  /** Set where a refusal is ours, to be said instead of the library's own. */
  refusal: SignInError | null;
  /** The error of this request, for the log. */
  fault: unknown;
  /** Whose session was made. */
  userId: string | null;
}

const flows = new AsyncLocalStorage<Flow>();

export const runFlow = <Result>(flow: Flow, work: () => Promise<Result>): Promise<Result> => flows.run(flow, work);

/** The flow of the request being answered. Expects to run inside `runFlow`. */
export function currentFlow(): Flow {
  const flow = flows.getStore();
  if (flow === undefined) throw new Error("no sign-in is under way");
  return flow;
}
