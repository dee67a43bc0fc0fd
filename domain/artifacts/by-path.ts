// The artifact at an address, for its page also with the packages that its latest version loads, the files beside it and
// its neighbours in a folder.
import type { Input, Output } from "@plinth/contract/registry";

import type { LoadedFiles } from "../access/resource.ts";
import { lockedPackages } from "../content/version-packages.ts";
import type { Context } from "../context.ts";
import { filesSummary } from "../files/given-files.ts";
import { neighboursOf } from "./documents-in-order.ts";
import { isFavorite } from "./favorites.ts";
import { listArtifactFormerAddresses } from "./former-addresses.ts";
import { presentArtifact } from "./present.ts";

/** Without packages while they are not known: its page does not wait for them. */
export async function getByPath(
  context: Context,
  {
    owner,
    projectSlug,
    slug,
    withPackages,
    withFiles,
    withFavorite,
    withFormerAddresses,
    withNeighbours,
  }: Input<"artifact.getByPath">,
  { artifact, version }: LoadedFiles,
): Promise<Output<"artifact.getByPath">> {
  const neighbours = withNeighbours === true ? await neighboursOf(context, artifact) : undefined;
  const presented = presentArtifact(context, artifact);
  const former =
    withFormerAddresses === true && presented.permissions.manageAccess
      ? await listArtifactFormerAddresses(context, {}, artifact)
      : {};
  const address = `${artifact.ownerUsername}/${artifact.projectSlug}/${artifact.slug}`;
  const shown = {
    ...presented,
    ...former,
    ...(address !== `${owner}/${projectSlug}/${slug}` && { movedTo: address }),
    ...(withFavorite === true && { isFavorite: await isFavorite(context, artifact) }),
    ...(version.name !== null && { latestName: version.name }),
    ...(neighbours !== undefined && { neighbours }),
    ...(withFiles === true && { files: filesSummary(version.files) }),
  };
  if (withPackages !== true || artifact.type === "md") return shown;
  const { artifactId, latestVersion: versionNumber } = artifact;
  const packages = await lockedPackages(context, { artifactId, versionNumber });
  return packages === null ? shown : { ...shown, packages };
}
