// The last stage of a write: other processes forget the rows that it changed, the relay looks at the outbox, and event
// streams look at the artifact.
import { AppError } from "@plinth/contract/errors";
import type { OperationName } from "@plinth/contract/registry";
import { offMainThread } from "@plinth/platform/main-thread";

import type { Authorized } from "../access/authorize.ts";
import { stagesOf } from "../handlers.ts";
import type { OperationRequest } from "./operation-request.ts";
import type { Executed, Identified } from "./outcome.ts";

/** Of an execution that has ended well. A dry run changes nothing, and of a replay the streams were woken before. */
export async function publishChange(
  asked: OperationRequest,
  { loaded: { artifact } }: Identified,
  { resource }: Authorized,
  { value, replayed }: Executed,
): Promise<void> {
  const { instance, call, op } = asked;
  if (op.effect === "read") return;
  instance.wakeRelay();
  // A replay too: the first answer may have been lost with its process.
  if (!isTried(asked) && instance.leases !== null)
    await offMainThread(instance.leases.tell(changedArtifacts(op.name, resource, value)));
  if (artifact !== null && !replayed && !call.dryRun) instance.publishChange(artifact.artifactId);
}

/** Of one that has failed: a write whose connection was lost may be committed. Its caller does not wait. */
export function publishDoubt(asked: OperationRequest, { resource }: Authorized, error: unknown): void {
  const { instance, op } = asked;
  if (!isTried(asked) && !(error instanceof AppError))
    void instance.leases?.tell(changedArtifacts(op.name, resource, null));
}

const isTried = ({ call, op }: OperationRequest): boolean => call.dryRun === true && op.dryRun === true;

/**
 * The artifacts whose rows an operation has changed; null for everything, `[]` for none. `value` is its result, null where it
 * failed: it may be committed all the same.
 */
function changedArtifacts(
  name: OperationName,
  resource: Authorized["resource"],
  value: unknown,
): readonly string[] | null {
  const { changes = "nothing" } = stagesOf(name);
  if (changes === "nothing") return [];
  if (changes === "everything") return null;
  const named = changes === "artifact" ? artifactIn(resource) : artifactIn(value);
  return named === null ? null : [named];
}

/** The identifier of the artifact that a row or a result is, or that it is about. */
function artifactIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { artifact, artifactId } = value as { artifact?: unknown; artifactId?: unknown };
  if (typeof artifactId === "string") return artifactId;
  return artifactIn(artifact);
}
