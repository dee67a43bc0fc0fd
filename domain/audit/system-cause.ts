// The cause of changes that no request caused.
import type { Cause } from "./audit.ts";

/** A job; `requestId` is the job's identifier. */
export const systemCause = (requestId: string): Cause => ({
  actor: { type: "system", id: "system", label: "Plinth" },
  surface: "system",
  requestId,
});
