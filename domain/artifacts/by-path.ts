// The artifact at an address, for its page also with the packages that its latest version loads.
import type { Input, Output } from "@plinth/contract/registry";

import type { ArtifactRow } from "../access/resource.ts";
import { lockedPackages } from "../content/version-packages.ts";
import type { Context } from "../context.ts";
import { presentArtifact } from "./present.ts";

/** Without packages while they are not known: its page does not wait for them. */
export async function getByPath(
  context: Context,
  { withPackages }: Input<"artifact.getByPath">,
  artifact: ArtifactRow,
): Promise<Output<"artifact.getByPath">> {
  const shown = presentArtifact(context, artifact);
  if (withPackages !== true || artifact.type === "md") return shown;
  const { artifactId, latestVersion: versionNumber } = artifact;
  const packages = await lockedPackages(context, { artifactId, versionNumber });
  return packages === null ? shown : { ...shown, packages };
}
