// The artifact whose settings are open. For a caller who does not manage it, they are a page that isn't there.
import type { Output } from "@plinth/contract/registry";
import { error, type RequestEvent } from "@sveltejs/kit";
import { artifactAt } from "./artifact-at.ts";

/**
 * The artifact that a page shows, asked for once by all of the page's loads, each of which begins with it. A form's
 * action changes it, and so asks for itself.
 */
export function shownArtifact(event: RequestEvent): Promise<Output<"artifact.getByPath">> {
  event.locals.shownArtifact ??= managedArtifact(event, { withFormerAddresses: true });
  return event.locals.shownArtifact;
}

/** The artifact at the address, for a caller who can manage its access. Every action begins with it. */
export async function managedArtifact(
  event: RequestEvent,
  also: { readonly withFormerAddresses?: true } = {},
): Promise<Output<"artifact.getByPath">> {
  const artifact = await artifactAt(event, also);
  const { share, manageAccess } = artifact.permissions;
  if (!share || !manageAccess) error(404, "Not found", { code: "not_found" });
  return artifact;
}
