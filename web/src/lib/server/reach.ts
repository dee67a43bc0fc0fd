// How far an artifact reaches: its access object and, in plain words, whom that lets in.
import type { Client } from "@plinth/contract/client";
import { pageLimit } from "@plinth/contract/limits";
import type { PlanId } from "@plinth/contract/plans";
import type { Access, Artifact } from "@plinth/contract/schemas/artifact";
import { viewAs, type ViewAs } from "#lib/view-as.ts";
import { whoCanEdit, whoCanSee } from "@plinth/contract/who-can-see";

interface Reach {
  access: Access;
  /** Of the workspace; null where it is not among the visitor's first hundred. */
  plan: PlanId | null;
  words: { see: string; edit: string };
  /** What it is to those whom nobody knows by name. */
  views: ViewAs[];
}

/** @throws ProblemError */
export async function reachOf(client: Client, { artifactId, workspaceId }: Artifact): Promise<Reach> {
  const limit = pageLimit.max;
  const [access, { workspaces }, { members, nextCursor }, links] = await Promise.all([
    client.call("access.get", { artifactId }),
    client.call("workspace.list", { limit }),
    client.call("member.list", { workspaceId, limit }),
    client.call("shareLink.list", { artifactId, limit }),
  ]);
  const { shareLinks, nextCursor: olderLinks } = links;
  const audience = { access, members, shareLinks, moreLinks: olderLinks !== null, moreMembers: nextCursor !== null };
  const now = new Date();
  return {
    access,
    plan: workspaces.find((one) => one.workspaceId === workspaceId)?.plan ?? null,
    views: viewAs(access, shareLinks, now, olderLinks !== null),
    words: { see: `${whoCanSee(audience, now)}.`, edit: `${whoCanEdit(audience, now)}.` },
  };
}
