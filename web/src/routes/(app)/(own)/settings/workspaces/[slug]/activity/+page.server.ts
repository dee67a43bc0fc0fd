// What was done in a workspace, for its admins.
import { pageLimit } from "@plinth/contract/limits";
import { entitlementsOf } from "@plinth/contract/plans";
import { error } from "@sveltejs/kit";
import { workspaceKinds } from "#lib/event-kinds.ts";
import { askedActivity, workspaceActivity } from "#lib/server/activity.ts";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { requireViewer } from "#lib/server/viewer.ts";
import { requireWorkspace } from "#lib/server/workspaces.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const client = clientOf(event);
  const [, workspace] = await orSignIn(
    event,
    Promise.all([requireViewer(event), requireWorkspace(client, event.params.slug)]),
  );
  if (workspace.role !== "admin") error(404, "Not found");
  const { workspaceId, plan } = workspace;
  const asked = askedActivity(event.url, workspaceKinds);
  const [found, { artifacts }] = await orSignIn(
    event,
    Promise.all([
      client.call("audit.listInWorkspace", { workspaceId, ...asked }),
      // The newest hundred are called by their names.
      client.call("workspace.artifacts", { workspaceId, limit: pageLimit.max }),
    ]),
  );
  const known = new Map(
    artifacts.map(({ artifactId, title, ownerUsername, projectSlug, slug }) => [
      artifactId,
      { title, path: `/${ownerUsername}/${projectSlug}/${slug}` },
    ]),
  );
  return {
    workspace,
    keptDays: entitlementsOf(plan).auditRetentionDays,
    kind: asked.kind ?? null,
    nextCursor: found.nextCursor,
    events: workspaceActivity(found, known),
  };
};
