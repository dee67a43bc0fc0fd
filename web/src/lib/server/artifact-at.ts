// The artifact at a page's address, for every page that stands below it.
import type { Output } from "@plinth/contract/registry";
import type { RequestEvent } from "@sveltejs/kit";
import { clientOf, orErrorPage } from "./api.ts";
import { redirectRenamed } from "./renamed.ts";

/**
 * What the artifact at the address is called where an identifier is asked for (docs/reference/contract.md §3): so a
 * page asks for what it shows of it together with the artifact.
 */
export const artifactNamed = ({ params }: RequestEvent): string =>
  `${params["owner"]}/${params["project"]}/${params["slug"]}`;

/** The artifact, for whoever may see it. A former address leads on; what one may not see is a page that isn't there. */
export async function artifactAt(
  event: RequestEvent,
  also: { readonly withPackages?: true } = {},
): Promise<Output<"artifact.getByPath">> {
  const { owner = "", project: projectSlug = "", slug = "" } = event.params;
  const artifact = await orErrorPage(clientOf(event).call("artifact.getByPath", { owner, projectSlug, slug, ...also }));
  redirectRenamed(event, artifact);
  return artifact;
}
