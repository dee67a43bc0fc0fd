// Artifacts that can still be restored: deleted within the last 30 days.
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { submit } from "#lib/server/submit.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const { artifacts, nextCursor } = await orSignIn(
    event,
    clientOf(event).call("artifact.listMine", { deleted: true, ...pageInput(event.url) }),
  );
  return {
    nextCursor,
    isGone: event.url.searchParams.has("gone"),
    artifacts: artifacts.map(({ artifactId, ownerUsername, projectSlug, slug, type, title }) => ({
      artifactId,
      path: `/${ownerUsername}/${projectSlug}/${slug}`,
      type,
      title,
    })),
  };
};

export const actions: Actions = {
  undelete: (event) =>
    submit(event, "undelete", async (client, field) => {
      const { ownerUsername, projectSlug, slug, title, workingShareLinks } = await client.call("artifact.undelete", {
        artifactId: field.text("artifactId"),
      });
      return { title, links: workingShareLinks, path: `/${ownerUsername}/${projectSlug}/${slug}` };
    }),
};
