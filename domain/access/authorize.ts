// Whether an operation may be done, and by whose right: the caller's own comes first, then that of the share link they
// brought, which no scope of a key limits (docs/reference/contract.md §5). `invoke` decides here, and so does whatever
// was let in before and comes back: a content ticket, a stream that goes on.
import type { Operation } from "@plinth/contract/operation";

import { authenticate, callerRequest, missingScope, requireScope, type Presented } from "./authenticate.ts";
import type { Call } from "./call.ts";
import { artifactPermissions } from "./decide.ts";
import { artifactIn, grantIn, type Load, type Loaded } from "./load.ts";
import type { Anonymous, LinkHolder, Operator, Person, Principal } from "./principal.ts";
import { requireResource, type ResourceRow } from "./require.ts";
import { targetOf } from "./target.ts";

export interface Authorized {
  /** Whose right is used, and so who does it. */
  readonly principal: Principal;
  readonly resource: ResourceRow;
}

/** Who asks and what the operation names, as of now; the input is null where nothing can be read from it. */
export function loadFor(
  load: Load,
  op: Operation,
  presented: Presented,
  input: Record<string, unknown> | null,
): Promise<Loaded> {
  const target = input === null ? null : targetOf(op, input);
  return load(target?.kind ?? "nothing", { ...target?.request, ...callerRequest(presented) });
}

/**
 * Whether the operation may be done now, outside a call of its own: loads and decides as its call does.
 * @throws what authenticate and authorize do
 */
export async function admit(
  load: Load,
  op: Operation,
  caller: Presented & Pick<Call, "address">,
  input: Record<string, unknown>,
): Promise<Authorized> {
  const loaded = await loadFor(load, op, caller, input);
  return authorize(op, authenticate(op, caller, loaded), loaded);
}

/** @throws insufficient_scope, forbidden, not_found, unauthenticated, version_expired */
export function authorize(op: Operation, caller: Anonymous | Operator | Person, loaded: Loaded): Authorized {
  const holder = linkHolder(caller, loaded);
  if (holder !== null && isByLink(op, holder, loaded))
    return { principal: holder, resource: requireResource(op, holder, loaded) };
  requireScope(op, caller);
  // Whoever sees the artifact by the link alone is told that this is not allowed, rather than that nothing is there.
  return { principal: caller, resource: requireResource(op, holder ?? caller, loaded) };
}

/** The caller with the share link they brought for what was loaded; null where there is none. */
export function linkHolder(caller: Anonymous | Operator | Person, loaded: Loaded): LinkHolder | null {
  const link = grantIn(loaded);
  return link === null || caller.type === "operator" ? null : { type: "share_link", link, beside: caller };
}

/** Whether the link permits what the caller by themselves may not do. */
function isByLink(op: Operation, { link, beside }: LinkHolder, loaded: Loaded): boolean {
  const rule = op.resource;
  const artifact = artifactIn(loaded);
  if (rule === null || !("artifact" in rule) || artifact === null) return false;
  if (missingScope(op, beside) === undefined && artifactPermissions(beside, artifact).has(rule.artifact)) return false;
  const alone: LinkHolder = { type: "share_link", link, beside: { type: "anonymous", address: "" } };
  return artifactPermissions(alone, artifact).has(rule.artifact);
}
