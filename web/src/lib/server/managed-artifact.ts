// The artifact whose settings are looked at. To whoever does not manage it, its settings are a page that isn't there.
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { error, type RequestEvent } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "./api.ts";
import { redirectRenamed } from "./renamed.ts";

/**
 * What the artifact at the address is called where an identifier is asked for (contract 3): so a page asks for what it shows of it
 * together with the artifact.
 */
export const artifactNamed = ({ params }: RequestEvent): string =>
  `${params["owner"]}/${params["project"]}/${params["slug"]}`;

/**
 * The artifact that a page shows, asked for once by all of the page's loads, each of which begins with it. A form's
 * action changes it, and so asks for itself.
 */
export function shownArtifact(event: RequestEvent): Promise<Artifact> {
  event.locals.shownArtifact ??= managedArtifact(event);
  return event.locals.shownArtifact;
}

/** The artifact at the address, for whoever may share it and say who sees it. Every action begins with it. */
export async function managedArtifact(event: RequestEvent): Promise<Artifact> {
  const { owner = "", project: projectSlug = "", slug = "" } = event.params;
  const artifact = await orErrorPage(clientOf(event).call("artifact.getByPath", { owner, projectSlug, slug }));
  redirectRenamed(event, artifact);
  const { share, manageAccess } = artifact.permissions;
  if (!share || !manageAccess) error(404, "Not found", { code: "not_found" });
  return artifact;
}
