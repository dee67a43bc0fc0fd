// Who it is that ends what is past its days.
import type { Cause } from "../records/audit.ts";

/** A job; `requestId` is the job's identifier. */
export const systemCause = (requestId: string): Cause => ({
  actor: { type: "system", id: "system", label: "Plinth" },
  surface: "system",
  requestId,
});
