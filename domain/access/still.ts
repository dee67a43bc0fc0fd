// Deciding again where something that took long lies between a decision and what it let happen, a compiler or a turn that
// was waited for: what was revoked meanwhile must not be done afterwards.
import { admit } from "./authorize.ts";
import type { AccessContext } from "./call.ts";
import { principalKey } from "./principal.ts";
import { forbidden } from "./refusals.ts";

/** So young a decision holds, in ms. */
const heldMs = 250;

/**
 * Costs nothing where the call was decided a moment ago. @throws what authenticate and authorize do, and forbidden where
 * only another right than the one it was begun with would still allow it
 */
export async function requireStill({ load, call, principal, decided }: AccessContext): Promise<void> {
  if (performance.now() - decided.at < heldMs) return;
  const { op, input } = decided;
  const now = await admit(load, op, call, input);
  if (principalKey(now.principal) !== principalKey(principal)) throw forbidden();
}
