// The workspaces of the visitor, to choose from and to name: they come with who is looking, and so cost no question more.
import type { Workspace } from "@plinth/contract/schemas/account";
import { error, type RequestEvent } from "@sveltejs/kit";
import { requireViewer } from "./viewer.ts";

/** The first hundred; a member of more names one by the command line. A visitor without a session is led to signing in. */
export const ownWorkspaces = async (event: RequestEvent): Promise<Workspace[]> =>
  (await requireViewer(event)).workspaces ?? [];

/** The name of a workspace by its identifier; null for none, the identifier for one that is not among them. */
export const workspaceNamer =
  (choices: readonly Workspace[]) =>
  (workspaceId: string | null): string | null =>
    workspaceId === null ? null : (choices.find((choice) => choice.workspaceId === workspaceId)?.name ?? workspaceId);

/** Those whose plan the visitor may see and change; the API decides, this is what is offered. */
export const withBilling = (workspaces: readonly Workspace[]): Workspace[] =>
  workspaces.filter(({ kind, role }) => kind === "personal" || role === "admin" || role === "billing_admin");

/** One of the visitor's own workspaces, by the name in an address. Any other is a page that isn't there. */
export async function requireWorkspace(event: RequestEvent, slug: string): Promise<Workspace> {
  const workspaces = await ownWorkspaces(event);
  return workspaces.find((workspace) => workspace.slug === slug) ?? error(404, "Not found");
}
