// The account and the priority of work on hostile text in the queue of the child processes.
import type { Actor } from "@plinth/contract/schemas/actor";

import { accountOf, roleIn, type Principal } from "../access/principal.ts";
import type { Work } from "../threads/fair-queue.ts";

/**
 * How work for hostile text is queued that this principal asks for in a workspace: as the workspace's where they belong
 * to it, else as their own, so that strangers take nothing from the workspace and keys gain no places.
 */
export function workFor(principal: Principal, workspaceId: string): Work {
  const account = accountOf(principal);
  const owner = roleIn(principal, workspaceId) === null ? account : workspaceId;
  return { owner, account, priority: "request" };
}

/** Work for a caller without an account or a place: on the account of the network address. */
export function publicWork(principal: Principal): Work {
  const account = accountOf(principal);
  return { owner: account, account, priority: "request" };
}

/** Background work for the same content: counted for the workspace and the version's author. */
export function backgroundWork(workspaceId: string, { id, onBehalfOf }: Actor): Work {
  return { owner: workspaceId, account: onBehalfOf?.userId ?? id, priority: "background" };
}
