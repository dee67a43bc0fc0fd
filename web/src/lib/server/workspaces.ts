// The workspaces of the visitor, to choose from and to name.
import type { Client } from "@plinth/contract/client";
import { pageLimit } from "@plinth/contract/limits";
import type { Workspace } from "@plinth/contract/schemas/account";
import { error } from "@sveltejs/kit";

export interface WorkspaceChoice {
  workspaceId: string;
  slug: string;
  name: string;
}

/** The first hundred; whoever belongs to more names one by the command line. */
export async function workspaceChoices(client: Client): Promise<WorkspaceChoice[]> {
  const { workspaces } = await client.call("workspace.list", { limit: pageLimit.max });
  return workspaces.map(({ workspaceId, slug, name }) => ({ workspaceId, slug, name }));
}

/** The name of a workspace by its identifier; null for none, the identifier for one that is not among them. */
export const workspaceNamer =
  (choices: WorkspaceChoice[]) =>
  (workspaceId: string | null): string | null =>
    workspaceId === null ? null : (choices.find((choice) => choice.workspaceId === workspaceId)?.name ?? workspaceId);

/** Those whose plan the visitor may see and change; the API decides, this is what is offered. */
export const withBilling = (workspaces: readonly Workspace[]): Workspace[] =>
  workspaces.filter(({ kind, role }) => kind === "personal" || role === "admin" || role === "billing_admin");

/** One of the visitor's own workspaces, by the name in an address. Any other is a page that isn't there. */
export async function requireWorkspace(client: Client, slug: string): Promise<Workspace> {
  const { workspaces } = await client.call("workspace.list", { limit: pageLimit.max });
  return workspaces.find((workspace) => workspace.slug === slug) ?? error(404, "Not found");
}
