// A project's Atom feed: the latest versions of what the caller can see in it, which for readers without a credential is
// what is public.
import { feedArtifacts, projectFeed } from "#lib/project-feed.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { platformOf } from "#lib/server/platform.ts";
import { redirectRenamed } from "#lib/server/renamed.ts";
import { taggedFile } from "#lib/server/tagged-file.ts";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = async (event) => {
  const { owner, project: projectSlug } = event.params;
  const client = clientOf(event);
  const [project, { artifacts }] = await orErrorPage(
    Promise.all([
      client.call("project.getByPath", { owner, projectSlug }).then((found) => {
        redirectRenamed(event, { ownerUsername: found.ownerUsername, projectSlug: found.slug });
        return found;
      }),
      client.call("artifact.list", { owner, project: projectSlug, sort: "updated", limit: feedArtifacts }),
    ]),
  );
  const feed = projectFeed(platformOf(event).publicUrl, project, artifacts);
  return taggedFile(event, feed, { "content-type": "application/atom+xml; charset=utf-8", vary: "cookie" });
};
