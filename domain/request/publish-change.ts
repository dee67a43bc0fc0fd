// The last stage of a write: other processes forget the rows that it changed, the relay looks at the outbox, and event
// streams look at the artifact.
import { AppError } from "@plinth/contract/errors";
import { offMainThread } from "@plinth/platform/main-thread";

import type { Authorized } from "../access/authorize.ts";
import { leasedChange } from "../leased-changes.ts";
import type { Asked } from "./asked.ts";
import type { Executed, Identified } from "./outcome.ts";

/** Of an execution that has ended well. A dry run changes nothing, and of a replay the streams were woken before. */
export async function publishChange(
  asked: Asked,
  { loaded: { artifact } }: Identified,
  { resource }: Authorized,
  { value, replayed }: Executed,
): Promise<void> {
  const { instance, call, op } = asked;
  if (op.effect === "read") return;
  instance.wakeRelay();
  // A replay too: the first answer may have been lost with its process.
  if (!isTried(asked) && instance.leases !== null)
    await offMainThread(instance.leases.tell(leasedChange(op.name, resource, value)));
  if (artifact !== null && !replayed && !call.dryRun) instance.publishChange(artifact.artifactId);
}

/** Of one that has failed: a write whose connection was lost may be committed. Its caller does not wait. */
export function publishDoubt(asked: Asked, { resource }: Authorized, error: unknown): void {
  const { instance, op } = asked;
  if (!isTried(asked) && !(error instanceof AppError))
    void instance.leases?.tell(leasedChange(op.name, resource, null));
}

const isTried = ({ call, op }: Asked): boolean => call.dryRun === true && op.dryRun === true;
