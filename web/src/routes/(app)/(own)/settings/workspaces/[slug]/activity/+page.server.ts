// The audit events of a workspace, for its admins.
import { pageLimit } from "@plinth/contract/limits";
import { entitlementsOf } from "@plinth/contract/plans";
import { workspaceKinds } from "#lib/event-kinds.ts";
import { askedActivity, shownKinds, workspaceActivity } from "#lib/server/activity.ts";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { requireWorkspace } from "#lib/server/workspaces.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const client = clientOf(event);
  const workspaceId = event.params.slug;
  const asked = askedActivity(event.url, workspaceKinds);
  const [workspace, found, { artifacts }] = await orSignIn(
    event,
    Promise.all([
      requireWorkspace(event, workspaceId),
      client.call("audit.listInWorkspace", { workspaceId, ...asked }),
      // The newest hundred are called by their names.
      client.call("workspace.artifacts", { workspaceId, limit: pageLimit.max }),
    ]),
  );
  const { plan } = workspace;
  const known = new Map(
    artifacts.map(({ artifactId, title, ownerUsername, projectSlug, slug }) => [
      artifactId,
      { title, path: `/${ownerUsername}/${projectSlug}/${slug}` },
    ]),
  );
  return {
    workspace,
    keptDays: entitlementsOf(plan).auditRetentionDays,
    kinds: shownKinds(workspaceKinds),
    kind: asked.kind ?? null,
    nextCursor: found.nextCursor,
    events: workspaceActivity(found, known),
  };
};
